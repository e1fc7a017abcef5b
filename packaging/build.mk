# SPDX-License-Identifier: GPL-2.0-only
# Packages: rules for the Makefile that includes this file, from the top of the tree.
# packaging/README.md says how they are used.
#
#   dist   $(O)/perf-whole-VERSION.tar.xz: the sources with the manual pages; builds without git
#   archive  $(O)/archive/perf-whole-VERSION-MACHINE.tar.xz: programs and libraries, for any folder
#   deb    $(O)/deb/*.deb and the source package, of the same archive
#   check-packages  installs, uses and removes the Debian packages in a fresh root
#   check-abi  compares the libraries with those of the last release
#   release  a tag, and the archive with its checksum; KEY=ID signs both
#   rpm    $(O)/rpm/RPMS/*/*.rpm and the source package

PACKAGE_VERSION = $(shell packaging/dist --version)
DIST = $(O)/perf-whole-$(PACKAGE_VERSION).tar.xz

dist:
	$(call say,DIST    $(DIST))
	$(Q)packaging/dist $(DIST)

deb: dist
	$(Q)packaging/deb $(DIST) $(O)/deb

rpm: dist
	$(Q)packaging/rpm $(DIST) $(O)/rpm

archive: $(O)/perf $(AGENT_SO) $(JVMTI_SO) $(MAN)
	$(Q)packaging/archive $(O) $(O)/archive

# In a fresh root of this Debian, or of SUITE; as root.
check-packages: deb
	$(Q)packaging/check-packages $(O)/deb $(SUITE)

check-abi: libperf-unwind libperf
	$(Q)packaging/abi $(O)

release:
	$(Q)packaging/release $(O)/release

.PHONY: dist archive deb rpm check-packages check-abi release
