// sinew::set_allocator, in a program of its own: it must be the first call of the library.
#include "thrown.hpp"

#include <atomic>
#include <cstdlib>

namespace {

struct Heap {
  std::atomic<int> held{0}, taken{0};
  static void* allocate(void* user, std::size_t size, std::size_t alignment) {
    Heap& heap = *static_cast<Heap*>(user);
    ++heap.held;
    ++heap.taken;
    void* memory = nullptr;
    return posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0 ? memory : nullptr;
  }
  static void free(void* user, void* memory, std::size_t, std::size_t) {
    --static_cast<Heap*>(user)->held;
    std::free(memory);
  }
};
Heap heap;

void memory_comes_from_the_program() {
  sinew::set_allocator(&Heap::allocate, &Heap::free, &heap);
  const Tables tables;
  const auto skeleton = sinew::Skeleton::create(tables.parents, tables.rest, tables.names);
  const int before = heap.held;
  {
    auto animator = sinew::Animator::create(skeleton, sinew::Avatar::create(skeleton, tables.human));
    animator.solve();
    CHECK(heap.held > before, "an animator took no memory");
  }
  CHECK(heap.taken > 0, "nothing was taken");
  CHECK(code_of([] { sinew::set_allocator(&Heap::allocate, &Heap::free, &heap); }) == SINEW_ERROR_NOT_AVAILABLE,
        "set a second time");
}

}  // namespace

int main() {
  RUN(memory_comes_from_the_program);
  return check_report();
}
