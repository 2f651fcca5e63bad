// sinew_trackers.hpp: a headset, two controllers and a finger are met, a calibration travels as
// text and a body as packets; failures are errors that change nothing.
#include "thrown.hpp"

#include <cmath>
#include <cstring>

namespace {

using sinew::TrackedBody;
using sinew::TrackerSample;

TrackerSample sample_at(float x, float y, float z, double time_s) {
  TrackerSample sample{};
  sample.time_s = time_s;
  sample.position = {x, y, z};
  sample.rotation.w = 1;
  sample.set = SINEW_TRACKER_SAMPLE_POSITION | SINEW_TRACKER_SAMPLE_ROTATION;
  sample.confidence = 1;
  return sample;
}

struct Scene {
  Tables tables;
  sinew::Skeleton skeleton = sinew::Skeleton::create(tables.parents, tables.rest, tables.names);
  sinew::Avatar avatar = sinew::Avatar::create(skeleton, tables.human);
};

void stand(TrackedBody& body, double time_s, float hand) {
  body.set_tracker(SINEW_TRACKER_ROLE_HEAD, sample_at(0, 1.584f, -0.004f, time_s));
  body.set_tracker(SINEW_TRACKER_ROLE_LEFT_HAND, sample_at(-hand, 1.421f, -0.018f, time_s));
  body.set_tracker(SINEW_TRACKER_ROLE_RIGHT_HAND, sample_at(hand, 1.421f, -0.018f, time_s));
}

void a_body_is_calibrated_solved_and_applied() {
  Scene scene;
  TrackedBody body = TrackedBody::create(scene.avatar);
  CHECK(code_of([&] { (void)TrackedBody::create(sinew::Avatar()); }) == SINEW_ERROR_INVALID_HANDLE, "a body of no avatar");
  CHECK(code_of([&] { body.calibrate(); }) == SINEW_ERROR_INVALID_ARGUMENT, "calibrated without a head");
  stand(body, 0, 0.765f);
  body.calibrate();
  CHECK(std::fabs(body.calibration().scale - 1) < 0.01f, "scale %g", body.calibration().scale);
  for (int frame = 0; frame < 30; ++frame) {
    stand(body, frame / 60.0, 0.4f);
    body.update(frame / 60.0);
  }
  CHECK(body.presence(SINEW_TRACKER_ROLE_HEAD) == 1, "the part of the head");
  CHECK(body.outcome(SINEW_TRACKER_ROLE_LEFT_HAND).residual_m < 1e-3f, "the hand is off");
  std::vector<sinew::Transform> pose = scene.tables.rest;
  body.apply(pose);
  sinew::Animator animator = sinew::Animator::create(scene.skeleton, scene.avatar);
  body.apply_to(animator);
  animator.solve();
  CHECK(std::memcmp(pose.data(), animator.pose().data(), pose.size() * sizeof pose[0]) == 0, "another pose was solved");
  CHECK(std::memcmp(pose.data(), scene.tables.rest.data(), pose.size() * sizeof pose[0]) != 0, "nothing was applied");
  // A part that is animated has the pose that is written over; the others are as before.
  CHECK(body.part_weight(SINEW_TRACKED_PART_LEFT_LEG) == 1, "a leg is animated at first");
  body.set_part_weight(SINEW_TRACKED_PART_LEFT_LEG, -3);
  CHECK(body.part_weight(SINEW_TRACKED_PART_LEFT_LEG) == 0, "a weight is not clamped");
  std::vector<sinew::Transform> over = scene.tables.rest;
  body.apply(over);
  CHECK(std::memcmp(pose.data(), over.data(), pose.size() * sizeof pose[0]) != 0, "the leg is not animated");
  body.set_part_weight(SINEW_TRACKED_PART_LEFT_LEG, 1);
  over = scene.tables.rest;
  body.apply(over);
  CHECK(std::memcmp(pose.data(), over.data(), pose.size() * sizeof pose[0]) == 0, "the leg is still animated");
  CHECK(code_of([&] { body.set_part_weight(SINEW_TRACKED_PART_PELVIS, NAN); }) == SINEW_ERROR_NOT_FINITE, "NaN");
  auto settings = body.settings();
  settings.head_lock = 2;
  CHECK(code_of([&] { body.set_settings(settings); }) == SINEW_ERROR_INVALID_ARGUMENT, "a lock of 2");
  CHECK(body.settings().head_lock == 1, "a refused setting was taken");
  std::vector<std::uint8_t> bytes(body.snapshot_size());
  body.snapshot(bytes);
  CHECK(body.snapshot() == bytes, "another snapshot");
  body.reset_tracking();
  body.set_snapshot(bytes);
  body.clear_tracker(SINEW_TRACKER_ROLE_HEAD);
}

// A left index finger of three joints on the rig; its last bone is tracked hanging.
void a_tracked_finger_bends_at_all_three_joints() {
  Tables tables;
  const std::size_t first = tables.parents.size();
  const char* const names[] = {"finger", "middle", "last"};
  for (std::size_t k = 0; k < 3; ++k) {
    tables.parents.push_back(k == 0 ? std::int32_t{RIG_LEFT_HAND} : static_cast<std::int32_t>(first + k) - 1);
    tables.names.push_back(names[k]);
    tables.human[SINEW_HUMAN_BONE_LEFT_INDEX_PROXIMAL + k] = static_cast<std::int32_t>(first + k);
    sinew::Transform rest{};
    rest.position = {k == 0 ? -0.09f : -0.03f, 0, 0};
    rest.rotation.w = 1;
    rest.scale = {1, 1, 1};
    tables.rest.push_back(rest);
  }
  const sinew::Skeleton skeleton = sinew::Skeleton::create(tables.parents, tables.rest, tables.names);
  const sinew::Avatar avatar = sinew::Avatar::create(skeleton, tables.human);
  TrackedBody body = TrackedBody::create(avatar.handle());
  stand(body, 0, 0.765f);
  body.set_tracker(SINEW_TRACKER_ROLE_LEFT_INDEX, sample_at(-0.915f, 1.421f, -0.018f, 0));
  body.calibrate();
  for (int frame = 1; frame <= 30; ++frame) {
    const double time_s = frame / 30.0;
    stand(body, time_s, 0.765f);
    TrackerSample hanging = sample_at(-0.885f, 1.391f, -0.018f, time_s);
    hanging.rotation.z = hanging.rotation.w = std::sqrt(0.5f);
    body.set_tracker(SINEW_TRACKER_ROLE_LEFT_INDEX, hanging);
    body.update(time_s);
  }
  const auto outcome = body.outcome(SINEW_TRACKER_ROLE_LEFT_INDEX);
  CHECK(outcome.status == SINEW_STATUS_REACHED && outcome.residual_m < 1e-3f, "%g m off", outcome.residual_m);
  std::vector<sinew::Transform> pose = tables.rest;
  body.apply(pose);
  double bent = 0;
  for (std::size_t k = first; k < first + 3; ++k) {
    const double own = 2 * std::acos(std::fmin(1.0, std::fabs(double{pose[k].rotation.w})));
    CHECK(own > 0.05, "joint %u bends by %g rad", static_cast<unsigned>(k), own);
    bent += own;
  }
  CHECK(bent > 1.5 && bent < 1.9, "the finger bends by %g rad", bent);
}

void a_remote_player_has_the_calibration_as_text_and_the_body_as_packets() {
  Scene scene;
  TrackedBody body = TrackedBody::create(scene.avatar.handle());
  TrackedBody far = TrackedBody::create(scene.avatar.handle());
  stand(body, 0, 0.765f);
  body.calibrate();
  std::vector<char> text(4096);
  std::uint32_t length = 0;
  CHECK(code_of([&] { body.calibration_json(sinew::Span<char>(text.data(), 8), length); }) == SINEW_ERROR_BUFFER_TOO_SMALL,
        "8 bytes were enough");
  body.calibration_json(text, length);
  CHECK(length == std::strlen(text.data()) + 1, "%u bytes", length);
  const std::vector<char> all = body.calibration_json();
  CHECK(all.size() == length && std::memcmp(all.data(), text.data(), length) == 0, "another text");
  far.set_calibration_json(text.data());
  CHECK(code_of([&] { far.set_calibration_json("[]"); }) == SINEW_ERROR_INVALID_TEXT, "a list was taken");
  std::vector<std::uint8_t> packet(SINEW_TRACKER_PACKET_SIZE);
  for (int frame = 0; frame < 60; ++frame) {
    const double time_s = frame / 60.0;
    stand(body, time_s, 0.4f);
    body.update(time_s);
    const std::uint32_t size = body.pack(packet);
    CHECK(size > 8 && size <= 64, "%u bytes", size);
    far.receive(sinew::Span<const std::uint8_t>(packet.data(), size), time_s + 3);
    far.update_remote(time_s + 3);
  }
  std::vector<sinew::Transform> here = scene.tables.rest, there = scene.tables.rest;
  body.apply(here);
  far.apply(there);
  for (std::size_t i = 0; i < here.size(); ++i) {
    const sinew::Quat a = here[i].rotation, b = there[i].rotation;
    const float same = std::fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    // A straight spine bends by some degrees for a quarter of a millimetre.
    CHECK(same > 0.998f, "joint %u is turned otherwise", static_cast<unsigned>(i));
  }
  CHECK(far.network_delay() > 0 && far.network_delay() < 0.1f, "a delay of %g s", far.network_delay());
  packet[0] = 0;
  CHECK(code_of([&] { far.receive(packet, 9); }) == SINEW_ERROR_INVALID_ARGUMENT, "no packet was taken");
}

}  // namespace

int main() {
  RUN(a_body_is_calibrated_solved_and_applied);
  RUN(a_tracked_finger_bends_at_all_three_joints);
  RUN(a_remote_player_has_the_calibration_as_text_and_the_body_as_packets);
  return check_report();
}
