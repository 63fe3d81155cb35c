// C11's threads in terms of POSIX threads, for tests under the thread sanitizer: it knows only the latter, and dies in a
// thread that was begun by thrd_create, as librdkafka's are. In glibc both have the same types.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <errno.h>

struct start {
    thrd_start_t work;
    void *argument;
};

static void *begin(void *given) {
    struct start start = *(struct start *)given;
    free(given);
    return (void *)(intptr_t)start.work(start.argument);
}

static int answer(int code) {
    switch (code) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
    }
}

int thrd_create(thrd_t *thread, thrd_start_t work, void *argument) {
    struct start *start = malloc(sizeof *start);
    if (!start) return thrd_nomem;
    *start = (struct start){work, argument};
    int code = pthread_create(thread, NULL, begin, start);
    if (code) free(start);
    return answer(code);
}

int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    int code = pthread_join(thread, &value);
    if (result) *result = (int)(intptr_t)value;
    return answer(code);
}

int mtx_init(mtx_t *mutex, int type) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    if (type & mtx_recursive) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    int code = pthread_mutex_init((pthread_mutex_t *)mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return answer(code);
}

void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }
int mtx_lock(mtx_t *mutex) { return answer(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return answer(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_unlock(mtx_t *mutex) { return answer(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

int cnd_init(cnd_t *condition) { return answer(pthread_cond_init((pthread_cond_t *)condition, NULL)); }
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }
int cnd_signal(cnd_t *condition) { return answer(pthread_cond_signal((pthread_cond_t *)condition)); }
int cnd_broadcast(cnd_t *condition) { return answer(pthread_cond_broadcast((pthread_cond_t *)condition)); }

int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return answer(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
    return answer(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, time));
}
