/*
 * Preloaded into a server to make a fast disk behave like an SD card: every call that waits until
 * bytes are on disk takes SYNC_DELAY_MS longer. Calls that only start writing are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

static void delay(void) {
  const char *text = getenv("SYNC_DELAY_MS");
  long ms = text ? atol(text) : 0;
  struct timespec wait = {ms / 1000, (ms % 1000) * 1000000L};
  nanosleep(&wait, NULL);
}

int fsync(int file) {
  static int (*original)(int);
  if (!original) original = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  delay();
  return original(file);
}

int fdatasync(int file) {
  static int (*original)(int);
  if (!original) original = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  delay();
  return original(file);
}

int sync_file_range(int file, off64_t offset, off64_t length, unsigned int flags) {
  static int (*original)(int, off64_t, off64_t, unsigned int);
  if (!original) {
    original = (int (*)(int, off64_t, off64_t, unsigned int))dlsym(RTLD_NEXT, "sync_file_range");
  }
  if (flags & (SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER)) delay();
  return original(file, offset, length, flags);
}
