// Uses tests/c/check.h and tests/c/rig.h from C++: the same rig, the same output.
#ifndef SINEW_TEST_CHECK_HPP
#define SINEW_TEST_CHECK_HPP

#if __has_include(<sinew/sinew.hpp>)
#include <sinew/sinew.hpp>  // installed
#else
#include "sinew.hpp"  // in the source tree
#endif

// rig.h and space.h are C: they compile as C++ as well.
#include "../c/rig.h"

#include <vector>

// The rig of the C tests as the C++ layer takes it.
struct Tables {
  std::vector<std::int32_t> parents;
  std::vector<sinew::Transform> rest;
  std::vector<const char*> names;
  sinew::HumanMap human{};

  explicit Tables(bool rolled = false) {
    Rig rig;
    rig_fill(&rig, rolled ? 1 : 0);
    parents.assign(rig.parents, rig.parents + RIG_JOINTS);
    rest.assign(rig.rest, rig.rest + RIG_JOINTS);
    names.assign(rig.names, rig.names + RIG_JOINTS);
    for (std::size_t i = 0; i < human.size(); ++i) human[i] = rig.human[i];
  }
};

#endif
