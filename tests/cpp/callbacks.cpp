// Callbacks that throw, or leave by longjmp: the text of each callback's type states what follows.
// Each case runs in a child process.
#include "check.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum class Way { throws, jumps };
enum { AS_STATED = 0, NOT_AS_STATED = 10, CAUGHT = 11, RETURNED = 12, NOT_READY = 13 };

Way way;
std::jmp_buf outside;
// Only once everything has been set up.
bool armed;

void leave() {
  if (!armed) return;
  armed = false;
  if (way == Way::jumps) std::longjmp(outside, 1);
  throw std::runtime_error("from a callback");
}

extern "C" {
static void draw(void*, const SinewVec3*, const SinewVec3*, std::int32_t) { leave(); }
static double clock_of_host(void*) {
  leave();
  return 0;
}
static void* enqueue(void*, SinewJob, std::uint32_t, std::uint32_t) {
  leave();
  return nullptr;
}
static void* enqueue_later(void*, SinewJob, std::uint32_t, std::uint32_t) { return &armed; }
static void wait_for(void*, void*) { leave(); }
static void cast(void*, const SinewGroundQuery*, SinewGroundHit*) { leave(); }
static void* allocate(void*, std::size_t size, std::size_t alignment) {
  leave();
  void* memory = nullptr;
  const std::size_t least = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return posix_memalign(&memory, least, size) == 0 ? memory : nullptr;
}
static void release(void*, void* memory, std::size_t, std::size_t) {
  leave();
  std::free(memory);
}
}

Rig rig;
SinewAnimator animator, other;
SinewWorld world;
SinewGrounder grounder;
SinewGrounderLeg legs[2];
SinewGrounderFrame frame;

bool ok(SinewResult result) { return result == SINEW_OK; }

bool make_animators() {
  rig_make(&rig, 0);
  animator = rig_animator(&rig);
  other = rig_animator(&rig);
  return true;
}

bool make_world(bool budget, SinewEnqueue starts) {
  bool good = make_animators() && ok(sinew_world_create(&world));
  for (int k = 0; k < 16; ++k) good = good && ok(sinew_world_join(world, rig_animator(&rig), nullptr));
  if (budget) return good && ok(sinew_world_set_budget(world, 1.0f, clock_of_host, nullptr));
  return good && ok(sinew_world_set_jobs(world, starts, wait_for, nullptr));
}

bool make_grounder() {
  SinewFootModel feet[2];
  bool good = ok(sinew_foot_model_default(&feet[0])) && ok(sinew_foot_model_default(&feet[1])) &&
              ok(sinew_grounder_create(feet, 2, nullptr, &grounder)) && ok(sinew_grounder_frame_default(&frame));
  frame.pelvis = SinewVec3{0, 1, 0};
  frame.dt_s = 1.0f / 60.0f;
  for (int k = 0; k < 2; ++k) {
    const float side = k == 0 ? -0.1f : 0.1f;
    legs[k] = SinewGrounderLeg();
    legs[k].hip = SinewVec3{side, 0.9f, 0};
    legs[k].knee = SinewVec3{side, 0.5f, 0.05f};
    legs[k].ankle = SinewVec3{side, 0.1f, 0};
    legs[k].ball = SinewVec3{side, 0.02f, 0.12f};
    legs[k].foot.w = 1;
    legs[k].weight = 1;
  }
  return good;
}

// One kind of callback: what is made before, the call, and what must hold after a jump.
struct Case {
  const char* name;
  bool (*make)();
  SinewResult (*call)();
  bool (*after)();
};

bool animator_is_busy() {
  return sinew_animator_solve(animator) == SINEW_ERROR_BUSY && sinew_animator_destroy(animator) == SINEW_ERROR_BUSY &&
         ok(sinew_animator_solve(other)) && ok(sinew_animator_destroy(other));
}
bool world_is_busy() {
  std::uint32_t count = 0;
  return sinew_world_solve(world, nullptr, nullptr) == SINEW_ERROR_BUSY &&
         sinew_world_get_count(world, &count) == SINEW_ERROR_BUSY && sinew_world_destroy(world) == SINEW_ERROR_BUSY &&
         ok(sinew_animator_solve(other));
}
bool grounder_is_busy() {
  SinewGrounder fresh = grounder;
  return sinew_grounder_solve(grounder, &frame, legs, 2, cast, nullptr) == SINEW_ERROR_BUSY &&
         sinew_grounder_destroy(grounder) == SINEW_ERROR_BUSY && make_grounder() && fresh.bits != grounder.bits &&
         ok(sinew_grounder_solve(grounder, &frame, legs, 2, cast, nullptr));
}

SinewResult solve_world() { return sinew_world_solve(world, nullptr, nullptr); }

const Case CASES[] = {
    {"SinewDrawLine", make_animators, [] { return sinew_animator_draw(animator, draw, nullptr); }, animator_is_busy},
    {"SinewClock", [] { return make_world(true, nullptr); }, solve_world, world_is_busy},
    {"SinewEnqueue", [] { return make_world(false, enqueue); }, solve_world, world_is_busy},
    {"SinewWait", [] { return make_world(false, enqueue_later); }, solve_world, world_is_busy},
    {"SinewCastGround", make_grounder,
     [] { return sinew_grounder_solve(grounder, &frame, legs, 2, cast, nullptr); }, grounder_is_busy},
};

int run(const Case& one) {
  if (!one.make()) return NOT_READY;
  armed = true;
  if (setjmp(outside) != 0) return one.after() ? AS_STATED : NOT_AS_STATED;
  try {
    (void)one.call();
  } catch (...) {
    return CAUGHT;
  }
  return RETURNED;
}

// The status of a child that does it.
template <class Work>
int status_of(Work work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    const int nowhere = open("/dev/null", O_WRONLY);
    (void)dup2(nowhere, STDERR_FILENO);
    _exit(work());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return status;
}

bool aborted(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT; }

// First: the memory's source is chosen before anything else.
void an_allocator_that_throws_ends_the_process() {
  way = Way::throws;
  for (int frees = 0; frees < 2; ++frees) {
    const int status = status_of([frees]() -> int {
      if (!ok(sinew_set_allocator(allocate, release, nullptr))) return NOT_READY;
      rig_make(&rig, 0);
      armed = true;
      try {
        (void)(frees != 0 ? sinew_skeleton_destroy(rig.skeleton) : sinew_skeleton_create(nullptr, nullptr));
        SinewSkeletonDef def = rig_skeleton_def(&rig);
        SinewSkeleton made;
        (void)sinew_skeleton_create(&def, &made);
      } catch (...) {
        return CAUGHT;
      }
      return RETURNED;
    });
    CHECK(aborted(status), "%s: status %#x", frees != 0 ? "SinewFree" : "SinewAllocate", static_cast<unsigned>(status));
  }
}

void an_exception_ends_the_process() {
  way = Way::throws;
  for (const Case& one : CASES) {
    const int status = status_of([&one] { return run(one); });
    CHECK(aborted(status), "%s: status %#x", one.name, static_cast<unsigned>(status));
  }
}

// Objects and functions that the wrapper calls for the library.
struct Jobs {
  void* enqueue(SinewJob, std::uint32_t, std::uint32_t) {
    leave();
    return nullptr;
  }
  void wait(void*) {}
};
struct Rows {
  void operator()(const sinew::TaskPlacement*, sinew::TaskRows&) { leave(); }
};

void an_exception_of_an_object_of_the_wrapper_ends_the_process() {
  way = Way::throws;
  const auto caught = [](auto call) -> int {
    armed = true;
    try {
      call();
    } catch (...) {
      return CAUGHT;
    }
    return RETURNED;
  };
  const int jobs = status_of([&caught]() -> int {
    if (!make_world(false, enqueue_later)) return NOT_READY;
    Jobs object;
    sinew::World owner(world);
    owner.set_jobs(object);
    return caught([&owner] { (void)owner.solve(); });
  });
  CHECK(aborted(jobs), "jobs: status %#x", static_cast<unsigned>(jobs));
  const int rows = status_of([&caught]() -> int {
    rig_make(&rig, 0);
    Rows object;
    sinew::Skeleton skeleton(rig.skeleton);
    sinew::Body body = sinew::Body::create(skeleton, 0);
    (void)body.add_host(sinew::Body::host(1, 3), object);
    std::vector<sinew::Transform> pose(rig.rest, rig.rest + RIG_JOINTS);
    return caught([&] { (void)body.solve(pose); });
  });
  CHECK(aborted(rows), "rows: status %#x", static_cast<unsigned>(rows));
}

extern "C" std::uint32_t keep(void*, const std::uint8_t*, std::uint32_t) {
  leave();
  return 0;
}

void a_recordings_sink_that_throws_ends_the_process() {
  way = Way::throws;
  const int status = status_of([]() -> int {
    if (!ok(sinew_record_begin_callback(keep, nullptr)) || !make_animators()) return NOT_READY;
    armed = true;
    try {
      (void)sinew_animator_solve(animator);
      (void)sinew_record_end();
    } catch (...) {
      return CAUGHT;
    }
    return RETURNED;
  });
  CHECK(aborted(status), "SinewRecordSink: status %#x", static_cast<unsigned>(status));
}

void after_a_jump_the_object_stays_in_use_and_all_others_work() {
  way = Way::jumps;
  for (const Case& one : CASES) {
    const int status = status_of([&one] { return run(one); });
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == AS_STATED, "%s: status %#x", one.name,
          static_cast<unsigned>(status));
  }
}

}  // namespace

int main() {
  RUN(an_allocator_that_throws_ends_the_process);
  RUN(an_exception_ends_the_process);
  RUN(an_exception_of_an_object_of_the_wrapper_ends_the_process);
  RUN(a_recordings_sink_that_throws_ends_the_process);
  RUN(after_a_jump_the_object_stays_in_use_and_all_others_work);
  return check_report();
}
