# SPDX-License-Identifier: GPL-2.0-only
# The extension of another perf (Documentation/design/extension.md): rules for the Makefile that
# includes this file. It is installed in a folder of its own, to which the commands are links.
#
#   install-extension, install-extension-files (what is built, as it is), uninstall-extension

EXTENSION := whole stitch unwind
EXTENSION_MAN := $(EXTENSION:%=$(O)/man/perf-%.1)
WHOLE_RUNTIME := $(filter scripts/% mcp/% service/%,$(RUNTIME))
wholedir := $(libexecdir)/perf-whole

install-extension: $(O)/perf $(PLUGIN) $(AGENT_SO) $(JVMTI_SO) $(MAN)
	$(Q)$(MAKE) --no-print-directory install-extension-files
install-extension-files:
	$(call say,INSTALL $(EXTENSION:%=$(DESTDIR)$(bindir)/perf-%))
	$(Q)$(call make_directories,$(bindir) $(mandir)/man1 $(addprefix $(wholedir)/,man Documentation \
		$(sort $(patsubst %/,%,$(dir $(WHOLE_RUNTIME))))))
	$(Q)install -m 755 $(O)/perf $(call to,$(wholedir))/perf
	$(Q)$(if $(PLUGIN),install -m 644 $(PLUGIN) $(call to,$(wholedir)))
	$(Q)$(if $(AGENT_SO)$(JVMTI_SO),install -m 644 $(AGENT_SO) $(JVMTI_SO) $(call to,$(wholedir)))
	$(Q)cd tools/perf && cp --parents --remove-destination $(WHOLE_RUNTIME) $(call to,$(wholedir))
	$(call unit_of,perf-whole,$(wholedir))
	$(Q)install -m 644 -t $(call to,$(wholedir))/Documentation $(TEXTS)
	$(Q)install -m 644 -t $(call to,$(wholedir))/man $(MAN)
	$(Q)install -m 644 -t $(call to,$(mandir))/man1 $(EXTENSION_MAN)
	$(Q)for c in $(EXTENSION); do \
		ln -srf $(call to,$(wholedir))/perf $(call to,$(bindir))/perf-$$c || exit 1; done
	$(call note_places,installed-extension.mk)

# Their manuals stay if all of perf is installed, too.
uninstall-extension:
	$(call say,REMOVE  $(EXTENSION:%=$(DESTDIR)$(bindir)/perf-%))
	$(Q)rm -f $(EXTENSION:%=$(call to,$(bindir))/perf-%)
	$(Q)cd $(call to,$(wholedir)) 2>/dev/null && rm -f perf script-python.so libperf-agent.so \
		libperf-jvmti.so $(WHOLE_RUNTIME) $(TEXTS) $(addprefix man/,$(notdir $(MAN))) || :
	$(Q)[ -e $(call to,$(execdir))/$(firstword $(TEXTS)) ] || \
		rm -f $(EXTENSION:%=$(call to,$(mandir))/man1/perf-%.1)
	$(Q)$(call remove_directories,$(execdir)/$(firstword $(TEXTS)))

.PHONY: install-extension install-extension-files uninstall-extension
