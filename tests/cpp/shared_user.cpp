// A library that uses the wrapper and is compiled with hidden symbols; shared.cpp uses it.
#include "check.hpp"

__attribute__((visibility("default"))) void throw_of_the_library() { (void)sinew::Animator().root(); }

__attribute__((visibility("default"))) void throw_of_the_wrapper() {
  std::vector<sinew::AimJob> jobs(2);
  sinew::solve_batch(jobs, sinew::Span<sinew::AimResult>());
}

__attribute__((visibility("default"))) sinew::Animator make_animator() {
  const Tables tables;
  const auto skeleton = sinew::Skeleton::create(tables.parents, tables.rest, tables.names);
  return sinew::Animator::create(skeleton, sinew::Avatar::create(skeleton, tables.human));
}
