// SPDX-License-Identifier: GPL-2.0-only
#include "parcel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct parcel {
	struct iovec bytes;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct msghdr msg;
};

static void parcel__init(struct parcel *p, void *bytes, size_t len)
{
	memset(p, 0, sizeof(*p));
	p->bytes = (struct iovec){ .iov_base = bytes, .iov_len = len };
	p->msg = (struct msghdr){ .msg_iov = &p->bytes, .msg_iovlen = 1 };
}

bool parcel__send(int socket, const void *bytes, size_t len, int fd)
{
	struct cmsghdr *hdr;
	struct parcel p;
	ssize_t n;

	parcel__init(&p, (void *)bytes, len);
	if (fd >= 0) {
		p.msg.msg_control = p.control;
		p.msg.msg_controllen = sizeof(p.control);
		hdr = CMSG_FIRSTHDR(&p.msg);
		*hdr = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
					 .cmsg_len = CMSG_LEN(sizeof(int)) };
		memcpy(CMSG_DATA(hdr), &fd, sizeof(int));
	}
	do {
		n = sendmsg(socket, &p.msg, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

bool parcel__receive(int socket, void *bytes, size_t len, int *fd)
{
	struct cmsghdr *hdr;
	struct parcel p;
	ssize_t n;

	*fd = -1;
	parcel__init(&p, bytes, len);
	p.msg.msg_control = p.control;
	p.msg.msg_controllen = sizeof(p.control);
	do {
		n = recvmsg(socket, &p.msg, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	hdr = n < 0 ? NULL : CMSG_FIRSTHDR(&p.msg);
	if (hdr && hdr->cmsg_level == SOL_SOCKET && hdr->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(hdr), sizeof(int));
	return n == (ssize_t)len;
}
