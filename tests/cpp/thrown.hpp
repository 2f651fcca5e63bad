// The code that a call throws, for the tests of the layer with exceptions.
#ifndef SINEW_TEST_THROWN_HPP
#define SINEW_TEST_THROWN_HPP

#include "check.hpp"

#include <string>

// SINEW_OK when it throws nothing.
template <class Call>
SinewResult code_of(Call&& call) {
  try {
    call();
    return SINEW_OK;
  } catch (const sinew::Error& error) {
    return error.code();
  }
}

// Its text; empty when it throws nothing.
template <class Call>
std::string text_of(Call&& call) {
  try {
    call();
    return {};
  } catch (const sinew::Error& error) {
    return error.what();
  }
}

#endif
