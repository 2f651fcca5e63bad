// The wrapper in a program and in a shared library with hidden symbols (shared_user.cpp): objects
// and errors of one are those of the other, in every thread.
#include "thrown.hpp"

#include <atomic>
#include <thread>

void throw_of_the_library();
void throw_of_the_wrapper();
sinew::Animator make_animator();

namespace {

void errors_cross_the_library() {
  CHECK(code_of(throw_of_the_library) == SINEW_ERROR_INVALID_HANDLE, "an error of the library");
  CHECK(text_of(throw_of_the_wrapper).find("sinew::solve_batch: results") == 0, "an error of the wrapper");
  CHECK(std::string(sinew::last_error()).find("sinew::solve_batch: results") == 0, "last_error: %s", sinew::last_error());
}

void objects_cross_the_library() {
  sinew::Animator animator = make_animator();
  animator.solve();
  CHECK(animator.is_human() && animator.pose().size() == RIG_JOINTS, "another animator");
}

void each_thread_has_its_own_last_error() {
  CHECK(code_of(throw_of_the_wrapper) == SINEW_ERROR_LENGTH_MISMATCH, "no refusal");
  const std::string here = sinew::last_error();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      if (*sinew::last_error() != 0) ++wrong;
      sinew::Animator animator = make_animator();
      for (int k = 0; k < 50; ++k) {
        animator.solve();
        const bool is_odd = (t + k) % 2 != 0;
        const SinewResult code = code_of(is_odd ? throw_of_the_library : throw_of_the_wrapper);
        if (code != (is_odd ? SINEW_ERROR_INVALID_HANDLE : SINEW_ERROR_LENGTH_MISMATCH)) ++wrong;
        if (std::string(sinew::last_error()).find(is_odd ? "sinew_animator_get_root" : "sinew::solve_batch") != 0) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0, "%d times another error", wrong.load());
  CHECK(here == sinew::last_error(), "another thread's error: %s", sinew::last_error());
}

}  // namespace

int main() {
  RUN(errors_cross_the_library);
  RUN(objects_cross_the_library);
  RUN(each_thread_has_its_own_last_error);
  return check_report();
}
