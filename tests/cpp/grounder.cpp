// sinew_grounder.hpp: a character steps onto a kerb, by two phases, by callback and in a batch with
// the same bits; failures are errors that change nothing.
#include "thrown.hpp"

#include <cmath>
#include <cstring>

namespace {

using sinew::Grounder;
using sinew::GrounderBody;
using sinew::GrounderLeg;
using sinew::GrounderLegResult;
using sinew::GroundHit;
using sinew::GroundQuery;

constexpr float KERB = 0.12f, EDGE = 0.25f, BALL = 0.03f, ANKLE = 0.09f;

GroundHit cast(const GroundQuery& query) {
  GroundHit hit{};
  hit.hit = 1;
  hit.point = query.origin;
  hit.point.y = query.origin.z > EDGE ? KERB : 0.0f;
  hit.normal = {0, 1, 0};
  return hit;
}

// A leg that stands, then swings 0.5 m ahead within 0.4 s, then stands.
GrounderLeg leg_at(int frame, float side, bool swings) {
  const float t = swings ? std::fmin(std::fmax((static_cast<float>(frame) / 60.0f - 0.3f) / 0.4f, 0.0f), 1.0f) : 0.0f;
  const float z = 0.5f * t * t * (3 - 2 * t), lift = 0.3f * t * t * (1 - t) * (1 - t) * 4;
  GrounderLeg leg{};
  leg.hip = {side, 0.92f, 0.5f * z};
  leg.knee = {side, 0.5f, 0.75f * z + 0.05f};
  leg.ankle = {side, ANKLE + lift, z};
  leg.ball = {side, BALL + lift, z + 0.13f};
  leg.foot.w = 1;
  leg.weight = 1;
  return leg;
}

sinew::GrounderFrame frame_at(int frame) {
  sinew::GrounderFrame given = Grounder::default_frame();
  given.pelvis = {0, 0.95f, 0.25f * static_cast<float>(frame) / 60.0f};
  return given;
}

void a_foot_lands_on_a_kerb_in_three_ways() {
  const std::vector<sinew::FootModel> feet(2, sinew::default_foot());
  Grounder phases = Grounder::create(feet);
  Grounder callback = Grounder::create(feet, Grounder::default_settings());
  Grounder batched = Grounder::create(feet);
  CHECK(phases.leg_count() == 2 && phases.is_valid() && phases.settings().quality == 5, "as created");
  std::vector<GroundQuery> room(10);
  std::vector<GroundHit> hits;
  std::vector<GrounderLegResult> results(2), others(2), third(2);
  std::vector<GrounderBody> bodies(1);
  std::vector<std::uint32_t> first(2);
  int calls = 0;
  for (int frame = 0; frame < 80; ++frame) {
    const std::vector<GrounderLeg> legs{leg_at(frame, -0.1f, false), leg_at(frame, 0.1f, true)};
    const auto asked = phases.begin(frame_at(frame), legs, room);
    CHECK(asked.size() > 0 && asked.size() <= 10, "%u queries", static_cast<unsigned>(asked.size()));
    hits.clear();
    for (const GroundQuery& query : asked) hits.push_back(cast(query));
    phases.finish(hits);
    phases.legs(results);
    callback.solve(frame_at(frame), legs, [&](const GroundQuery& query) {
      ++calls;
      return cast(query);
    });
    callback.legs(others);
    CHECK(std::memcmp(results.data(), others.data(), 2 * sizeof results[0]) == 0, "frame %d: other bits", frame);

    const SinewGrounder handle = batched.handle();
    const sinew::GrounderFrame given = frame_at(frame);
    sinew::begin_batch({&handle, 1}, {&given, 1}, legs, room, first);
    hits.clear();
    for (std::uint32_t i = first[0]; i < first[1]; ++i) hits.push_back(cast(room[i]));
    sinew::finish_batch({&handle, 1}, hits, bodies, third);
    CHECK(std::memcmp(results.data(), third.data(), 2 * sizeof results[0]) == 0, "frame %d: batch bits", frame);
  }
  CHECK(calls > 0, "no call");
  CHECK(results[1].planted == 1 && std::fabs(results[1].ball.y - KERB - BALL) < 5e-3f, "the ball is at %g m",
        static_cast<double>(results[1].ball.y));
  CHECK(std::fabs(results[0].ball.y - BALL) < 5e-3f && phases.body().planted == 2, "the other foot moved");

  // What is remembered goes on with the same bits elsewhere.
  Grounder copy = Grounder::create(feet);
  copy.set_snapshot(phases.snapshot());
  for (Grounder* one : {&phases, &copy}) {
    const std::vector<GrounderLeg> legs{leg_at(80, -0.1f, false), leg_at(80, 0.1f, true)};
    one->solve(frame_at(80), legs, cast);
  }
  phases.legs(results);
  copy.legs(others);
  CHECK(std::memcmp(results.data(), others.data(), 2 * sizeof results[0]) == 0, "a snapshot has other bits");
}

void failures_are_errors() {
  const std::vector<sinew::FootModel> feet(2, sinew::default_foot());
  Grounder grounder = Grounder::create(feet);
  std::vector<GrounderLeg> one{leg_at(0, 0, false)};
  std::vector<GrounderLeg> two{leg_at(0, -0.1f, false), leg_at(0, 0.1f, false)};
  std::vector<GroundQuery> room(10);
  std::vector<GrounderLegResult> results(2);
  CHECK(code_of([&] { grounder.begin(Grounder::default_frame(), one, room); }) == SINEW_ERROR_LENGTH_MISMATCH, "legs");
  CHECK(code_of([&] { grounder.finish({}); }) == SINEW_ERROR_INVALID_ARGUMENT, "no frame");
  CHECK(code_of([&] { grounder.begin(Grounder::default_frame(), two, {room.data(), 1}); }) == SINEW_ERROR_BUFFER_TOO_SMALL,
        "room");
  CHECK(code_of([&] { (void)grounder.foot(2); }) == SINEW_ERROR_OUT_OF_RANGE, "no such leg");
  sinew::GrounderSettings settings = grounder.settings();
  settings.weight = 2;
  CHECK(code_of([&] { grounder.set_settings(settings); }) != SINEW_OK, "a weight of 2");
  CHECK(grounder.settings().weight == 1.0f, "a refused setting was taken");
  settings = grounder.settings();
  settings.scale = 0;
  CHECK(code_of([&] { grounder.set_settings(settings); }) == SINEW_ERROR_INVALID_ARGUMENT, "a scale of 0");
  settings.scale = 100;
  grounder.set_settings(settings);
  CHECK(grounder.settings().scale == 100.0f, "the scale that was set");
  const sinew::Vec3 ankle{0, 0.1f, 0}, ball{0, 0.04f, 0.15f}, ground{0, 0, 0}, up{0, 1, 0}, nothing{0, 0, 0};
  const sinew::FootModel foot = sinew::foot_from_rest(ankle, &ball, nullptr, ground, up);
  CHECK(foot.has_sole == 1 && std::fabs(foot.ball_height - 0.04f) < 1e-6f && std::fabs(foot.heel_height - 0.1f) < 1e-6f,
        "a foot from rest");
  CHECK(code_of([&] { (void)sinew::foot_from_rest(ankle, nullptr, nullptr, ground, nothing); }) ==
            SINEW_ERROR_INVALID_ARGUMENT,
        "up without length");
  grounder.set_foot(1, foot);
  CHECK(grounder.foot(1).heel_height == foot.heel_height, "the foot that was set");
  grounder.reset_grounding();
  Grounder moved = std::move(grounder);
  CHECK(!grounder && moved.is_valid(), "moved");
  CHECK(code_of([&] { grounder.reset_grounding(); }) == SINEW_ERROR_INVALID_HANDLE, "a moved-from grounder resets");
  CHECK(code_of([&] { (void)grounder.body(); }) == SINEW_ERROR_INVALID_HANDLE, "a moved-from grounder works");
}

void feet_without_animation_step_and_clips_tell_contacts() {
  std::vector<sinew::FootModel> feet(2, sinew::default_foot());
  Grounder grounder = Grounder::create(feet);
  const std::vector<std::uint32_t> groups{0, 1};
  grounder.set_stepping(Grounder::default_stepping(), groups);
  CHECK(code_of([&] { grounder.set_stepping(Grounder::default_stepping(), {groups.data(), 1}); }) ==
            SINEW_ERROR_LENGTH_MISMATCH,
        "one group for two legs");
  auto flat = [](const GroundQuery& query) {
    GroundHit hit{};
    hit.hit = 1;
    hit.point = query.origin;
    hit.point.y = 0;
    hit.normal.y = 1;
    return hit;
  };
  std::vector<GrounderLegResult> results(2);
  int swung = 0;
  for (int frame = 0; frame < 180; ++frame) {
    sinew::GrounderFrame now = Grounder::default_frame();
    const float z = 0.01f * static_cast<float>(frame);
    now.root.z = now.pelvis.z = z;
    now.pelvis.y = 0.9f;
    std::vector<GrounderLeg> homes{leg_at(0, -0.1f, false), leg_at(0, 0.1f, false)};
    for (GrounderLeg& home : homes)
      for (sinew::Vec3* point : {&home.hip, &home.knee, &home.ankle, &home.ball}) point->z += z;
    grounder.solve(now, homes, flat);
    grounder.legs(results);
    CHECK(results[0].planted || results[1].planted, "both feet swing");
    swung += results[0].planted ? 0 : 1;
  }
  CHECK(swung > 10, "the foot did not step");
  grounder.clear_stepping();

  std::vector<sinew::Vec3> track(30, sinew::Vec3{0, 0.03f, 0});
  for (int frame = 20; frame < 30; ++frame)
    track[static_cast<std::size_t>(frame)].y = 0.03f + 0.05f * static_cast<float>(frame - 19);
  const std::vector<sinew::FrameRange> found = sinew::contacts_from_clip(track, 1.0f / 60, sinew::Vec3{0, 1, 0});
  CHECK(found.size() == 1 && found[0].start == 0 && found[0].end >= 18 && found[0].end <= 20, "stances");
  const std::vector<sinew::Vec3> sole{{0, 0, -0.05f}, {0, 0, 0.22f}};
  const sinew::FootModel foot =
      sinew::foot_from_outline(sinew::Vec3{0, 0.08f, 0}, sinew::Vec3{0, 0.02f, 0.14f}, sole, sinew::Vec3{0, 1, 0});
  CHECK(std::fabs(foot.toe_length - 0.08f) < 1e-5f && std::fabs(foot.heel_length - 0.05f) < 1e-5f, "an outline");
}

void an_exception_of_the_cast_comes_out_of_solve() {
  const std::vector<sinew::FootModel> feet(2, sinew::default_foot());
  Grounder grounder = Grounder::create(feet), fresh = Grounder::create(feet);
  const std::vector<GrounderLeg> legs{leg_at(0, -0.1f, false), leg_at(0, 0.1f, false)};
  int calls = 0;
  std::string caught;
  try {
    grounder.solve(frame_at(0), legs, [&](const GroundQuery&) -> GroundHit {
      ++calls;
      throw std::runtime_error("no physics");
    });
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  CHECK(caught == "no physics" && calls == 1, "caught \"%s\" after %d calls", caught.c_str(), calls);
  // The frame was not solved: the same frame, cast again, has the bits of a grounder that saw
  // nothing before.
  std::vector<GrounderLegResult> results(2), others(2);
  grounder.solve(frame_at(0), legs, cast);
  fresh.solve(frame_at(0), legs, cast);
  grounder.legs(results);
  fresh.legs(others);
  CHECK(std::memcmp(results.data(), others.data(), 2 * sizeof results[0]) == 0, "other bits after an exception");
}

}  // namespace

int main() {
  RUN(an_exception_of_the_cast_comes_out_of_solve);
  RUN(feet_without_animation_step_and_clips_tell_contacts);
  RUN(a_foot_lands_on_a_kerb_in_three_ways);
  RUN(failures_are_errors);
  return check_report();
}
