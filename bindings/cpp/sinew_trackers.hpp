// A whole body from trackers for C++17: headset, controllers and whatever else is worn; part of
// sinew.hpp, which includes this file at its end.
//
//   auto body = sinew::TrackedBody::create(avatar);
//   body.set_tracker(SINEW_TRACKER_ROLE_HEAD, sample);   // each frame, per tracker
//   body.calibrate();                                    // once, in a T-pose
//   body.update(time_s);                                 // each frame
//   body.apply(animator.pose());                         // or body.apply_to(animator)
//
// docs/trackers.md is the manual.
#ifndef SINEW_TRACKERS_HPP
#define SINEW_TRACKERS_HPP

#include "sinew.hpp"

namespace sinew {

/// What a tracker reports; all zero but `set` and `confidence` is a good start.
using TrackerSample = SinewTrackerSample;
/// Settings with their units and ranges; start from TrackedBody::default_settings().
using TrackedBodySettings = SinewTrackedBodySettings;
/// What calibration found: plain numbers to save, edit and load.
using TrackerCalibration = SinewTrackerCalibration;

#ifndef SINEW_NO_EXCEPTIONS
inline namespace throwing {
#else
inline namespace no_throw {
#endif

/// A whole body from any subset of trackers, for one avatar.
class TrackedBody
    : public detail::Owner<SinewTrackedBody, sinew_tracked_body_destroy, sinew_tracked_body_is_valid> {
 public:
  using Owner::Owner;

  /// The default settings.
  static TrackedBodySettings default_settings() noexcept {
    TrackedBodySettings settings{};
    (void)sinew_tracked_body_settings_default(&settings);
    return settings;
  }
  /// Creates a tracked body with default settings. The avatar may be destroyed afterwards.
  static Returns<TrackedBody> create(const Avatar& avatar) { return create(avatar.handle()); }
  /// Creates a tracked body. The avatar may be destroyed afterwards.
  static Returns<TrackedBody> create(const Avatar& avatar, const TrackedBodySettings& settings) {
    return create(avatar.handle(), settings);
  }
  /// The same from a C handle.
  static Returns<TrackedBody> create(SinewAvatar avatar) { return create(avatar, default_settings()); }
  /// The same from a C handle.
  static Returns<TrackedBody> create(SinewAvatar avatar, const TrackedBodySettings& settings) {
    return detail::create<TrackedBody, SinewTrackedBody>(
        [&](SinewTrackedBody* out) { return sinew_tracked_body_create(avatar, &settings, out); });
  }

  /// Settings in force.
  Returns<TrackedBodySettings> settings() const {
    return detail::out<TrackedBodySettings>([&](auto* out) { return sinew_tracked_body_get_settings(handle(), out); });
  }
  /// Sets the settings; what lasts between frames stays.
  Done set_settings(const TrackedBodySettings& settings) {
    return detail::done(sinew_tracked_body_set_settings(handle(), &settings));
  }
  /// Sets a sample of a tracker; one that is older than the newest of its role is dropped.
  Done set_tracker(SinewTrackerRole role, const TrackerSample& sample) {
    return detail::done(sinew_tracked_body_set_tracker(handle(), role, &sample));
  }
  /// Clears a tracker at once, without fading.
  Done clear_tracker(SinewTrackerRole role) {
    return detail::done(sinew_tracked_body_clear_tracker(handle(), role));
  }
  /// Which part a tracker has in the body, 0 (lost) to 1.
  Returns<float> presence(SinewTrackerRole role) const {
    return detail::out<float>([&](auto* out) { return sinew_tracked_body_get_presence(handle(), role, out); });
  }
  /// Sets where tracking space is in the host's world: untracked feet stand still there.
  Done set_origin(const Vec3& position, const Quat& rotation) {
    return detail::done(sinew_tracked_body_set_origin(handle(), &position, &rotation));
  }
  /// Sets how much of a part is the tracked body's own answer, 1 by default, clamped to 0 … 1; the
  /// rest is the animation's, which is the pose that apply writes over.
  Done set_part_weight(SinewTrackedPart part, float weight) {
    return detail::done(sinew_tracked_body_set_part_weight(handle(), part, weight));
  }
  /// How much of a part is the tracked body's own answer, 0 to 1.
  Returns<float> part_weight(SinewTrackedPart part) const {
    return detail::out<float>([&](auto* out) { return sinew_tracked_body_get_part_weight(handle(), part, out); });
  }
  /// Calibrates from the newest samples while the player stands in a pose, whichever way they face.
  /// Allocates.
  Done calibrate(SinewCalibrationPose pose = SINEW_CALIBRATION_POSE_T_POSE,
                 SinewTrackerScale scale = SINEW_TRACKER_SCALE_HEIGHT, float floor = 0) {
    return detail::done(sinew_tracked_body_calibrate(handle(), pose, scale, floor));
  }
  /// The calibration, to save or edit.
  Returns<TrackerCalibration> calibration() const {
    return detail::out<TrackerCalibration>(
        [&](auto* out) { return sinew_tracked_body_get_calibration(handle(), out); });
  }
  /// Sets a calibration that was saved or edited.
  Done set_calibration(const TrackerCalibration& calibration) {
    return detail::done(sinew_tracked_body_set_calibration(handle(), &calibration));
  }
  /// Writes the calibration as JSON; `length` is set to the bytes needed, terminating zero
  /// included, also when the room is too small.
  Done calibration_json(Span<char> text, std::uint32_t& length) const {
    return detail::done(sinew_tracked_body_get_calibration_json(handle(), text.data(), detail::length(text.size()),
                                                                &length));
  }
  /// The calibration as JSON (UTF-8, zero-terminated). Allocates.
  Returns<std::vector<char>> calibration_json() const {
    std::vector<char> text;
    std::uint32_t length = 0;
    SinewResult code = sinew_tracked_body_get_calibration_json(handle(), nullptr, 0, &length);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      text.resize(length);
      code = sinew_tracked_body_get_calibration_json(handle(), text.data(), length, &length);
    }
    return detail::give(code, std::move(text));
  }
  /// Sets a calibration from JSON, terminated by zero.
  Done set_calibration_json(const char* text) {
    return detail::done(sinew_tracked_body_set_calibration_json(handle(), text));
  }
  /// Finds what unlabelled trackers (1 to 64) are worn on: a SinewTrackerRole each, or -1 for a
  /// stray. `places` and `floor`: tracking space, metres. Allocates.
  Done assign_trackers(Span<const Vec3> places, float floor, Span<std::int32_t> roles) const {
    if (roles.size() != places.size())
      return detail::refused(wrapper::refuse("sinew::TrackedBody::assign_trackers", "roles", roles.size(),
                                             places.size(), "as many as places"));
    return detail::done(sinew_tracked_body_assign_trackers(handle(), places.data(), detail::length(places.size()),
                                                           floor, roles.data()));
  }
  /// Solves the body for a time, on the clock of the samples.
  Done update(double time_s) { return detail::done(sinew_tracked_body_update(handle(), time_s)); }
  /// Writes the body into local transforms; other joints, the face among them, stay as they are.
  Done apply(Span<Transform> pose) const {
    return detail::done(sinew_tracked_body_apply(handle(), pose.data(), detail::length(pose.size())));
  }
  /// The same into the pose buffer of an animator of the avatar's skeleton, before its solve.
  Done apply_to(Animator& animator) const { return apply_to(animator.handle()); }
  /// The same from a C handle.
  Done apply_to(SinewAnimator animator) const {
    return detail::done(sinew_tracked_body_apply_to_animator(handle(), animator));
  }
  /// How near a tracker's bone came to it in the last update.
  Returns<SinewOutcome> outcome(SinewTrackerRole role) const {
    return detail::out<SinewOutcome>([&](auto* out) { return sinew_tracked_body_get_outcome(handle(), role, out); });
  }
  /// Resets all that lasts between frames but the newest samples (sinew_tracked_body_reset).
  /// reset() destroys the object, as with all owners.
  Done reset_tracking() { return detail::done(sinew_tracked_body_reset(handle())); }

  /// Writes the trackers of the last update as a packet: its size. Room:
  /// SINEW_TRACKER_PACKET_SIZE.
  Returns<std::uint32_t> pack(Span<std::uint8_t> bytes) {
    return detail::out<std::uint32_t>([&](auto* out) {
      return sinew_tracked_body_pack(handle(), bytes.data(), detail::length(bytes.size()), out);
    });
  }
  /// Takes a packet of a remote player, in any order.
  Done receive(Span<const std::uint8_t> bytes, double arrival_s) {
    return detail::done(sinew_tracked_body_receive(handle(), bytes.data(), detail::length(bytes.size()), arrival_s));
  }
  /// Solves the body of a remote player from what was received.
  Done update_remote(double now_s) { return detail::done(sinew_tracked_body_update_remote(handle(), now_s)); }
  /// How much later than the network's fastest packet would allow a remote player is shown.
  Returns<float> network_delay() const {
    return detail::out<float>([&](auto* out) { return sinew_tracked_body_get_network_delay(handle(), out); });
  }

  /// Size of a snapshot, bytes.
  Returns<std::uint32_t> snapshot_size() const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_tracked_body_get_snapshot_size(handle(), out); });
  }
  /// All that lasts between frames. Allocates.
  Returns<std::vector<std::uint8_t>> snapshot() const {
    std::vector<std::uint8_t> bytes;
    std::uint32_t size = 0;
    SinewResult code = sinew_tracked_body_get_snapshot_size(handle(), &size);
    if (code == SINEW_OK) {
      bytes.resize(size);
      code = sinew_tracked_body_get_snapshot(handle(), bytes.data(), size);
    }
    return detail::give(code, std::move(bytes));
  }
  /// Writes all that lasts between frames; `bytes` must have snapshot_size() of them.
  Done snapshot(Span<std::uint8_t> bytes) const {
    return detail::done(sinew_tracked_body_get_snapshot(handle(), bytes.data(), detail::length(bytes.size())));
  }
  /// Sets all that lasts between frames.
  Done set_snapshot(Span<const std::uint8_t> bytes) {
    return detail::done(sinew_tracked_body_set_snapshot(handle(), bytes.data(), detail::length(bytes.size())));
  }
};

}  // namespace throwing, or no_throw
}  // namespace sinew

#endif  // SINEW_TRACKERS_HPP
