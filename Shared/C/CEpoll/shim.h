// Linux's epoll(7) and eventfd(2), which Swift's Glibc module leaves out.
#ifndef CEPOLL_SHIM_H
#define CEPOLL_SHIM_H

#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
