// Reading a scene file and writing a pose file, for hold_cylinder.cpp. Nothing here concerns
// Sinew's calls; the formats are in ../README.md. Bytes are put together by hand, so the host may
// be of either byte order.
#ifndef HOLD_CYLINDER_SCENE_HPP
#define HOLD_CYLINDER_SCENE_HPP

#include <sinew/sinew.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

// What happens in one frame of the scene.
struct Frame {
  bool ik_active = false;                 // whether the character holds the cylinder
  SinewTransform root{};                  // world space
  SinewTransform cylinder{};              // world space
  std::vector<SinewTransform> animation;  // local transforms
};

// A file in memory and how far it has been read.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("cannot be opened");
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  [[noreturn]] void fail(const char* why) const { throw std::runtime_error(path_ + ": " + why); }
  std::size_t size() const { return bytes_.size(); }

  std::string text(std::size_t count) {
    if (count > bytes_.size() - at_) fail("ends too early");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  std::uint32_t u32() {
    const std::string b = text(4);
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(b[i])); };
    return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
  }
  std::int32_t i32() { return as<std::int32_t>(u32()); }
  float f32() { return as<float>(u32()); }
  SinewTransform transform() {
    std::array<float, 10> n{};
    for (float& number : n) number = f32();
    return {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}, {n[7], n[8], n[9]}};
  }

 private:
  template <class T>
  static T as(std::uint32_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  std::string path_;
  std::string bytes_;
  std::size_t at_ = 0;
};

// A character, its animation and the cylinder it takes hold of.
struct Scene {
  float delta_time_s = 0.0f;
  std::vector<std::int32_t> parents;  // -1 for a root
  std::vector<SinewTransform> rest;   // local
  std::vector<std::string> names;     // UTF-8
  std::array<std::int32_t, SINEW_HUMAN_BONE_COUNT> human_joints{};
  SinewTransform handle_local{};  // where the hand goes, in the cylinder
  float cylinder_radius_m = 0.0f;
  float cylinder_length_m = 0.0f;
  std::vector<Frame> frames;

  explicit Scene(const std::string& path) {
    Reader reader(path);
    if (reader.text(8) != "SNWSCENE" || reader.u32() != 1) reader.fail("is not a scene of version 1");
    const std::uint32_t joint_count = reader.u32();
    const std::uint32_t frame_count = reader.u32();
    delta_time_s = reader.f32();
    if (joint_count > reader.size() / 52 || frame_count > reader.size() / 84) reader.fail("is shorter than its counts say");

    human_joints.fill(-1);
    for (std::uint32_t joint = 0; joint < joint_count; ++joint) {
      parents.push_back(reader.i32());
      const std::int32_t human_bone = reader.i32();
      if (human_bone >= static_cast<std::int32_t>(human_joints.size())) reader.fail("a human bone is out of range");
      if (human_bone >= 0) human_joints[static_cast<std::size_t>(human_bone)] = static_cast<std::int32_t>(joint);
      rest.push_back(reader.transform());
      const std::uint32_t length = reader.u32();
      names.push_back(reader.text(length));
      reader.text((4 - length % 4) % 4);
    }
    handle_local = reader.transform();
    cylinder_radius_m = reader.f32();
    cylinder_length_m = reader.f32();

    for (std::uint32_t i = 0; i < frame_count; ++i) {
      Frame frame;
      frame.ik_active = reader.u32() != 0;
      frame.root = reader.transform();
      frame.cylinder = reader.transform();
      for (std::uint32_t joint = 0; joint < joint_count; ++joint) frame.animation.push_back(reader.transform());
      frames.push_back(std::move(frame));
    }
  }

  std::vector<const char*> name_pointers() const {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    return pointers;
  }
};

// The pose file, and the FNV-1a hash of every transform written to it.
class Writer {
 public:
  Writer(const std::string& path, const Scene& scene) : path_(path), file_(path, std::ios::binary) {
    file_.write("SNWPOSES", 8);
    u32(1);
    u32(static_cast<std::uint32_t>(scene.parents.size()));
    u32(static_cast<std::uint32_t>(scene.frames.size()));
  }
  void u32(std::uint32_t value) {
    char bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i) & 0xff));
    file_.write(bytes, 4);
  }
  void f32(float value) { u32(bits_of(value)); }
  template <class Pose>
  void pose(const Pose& pose) {
    for (const SinewTransform& t : pose) {
      for (const float number : {t.position.x, t.position.y, t.position.z, t.rotation.x, t.rotation.y, t.rotation.z,
                                 t.rotation.w, t.scale.x, t.scale.y, t.scale.z}) {
        const std::uint32_t bits = bits_of(number);
        for (int shift = 0; shift < 32; shift += 8) hash_ = (hash_ ^ (bits >> shift & 0xff)) * 0x100000001b3u;
        u32(bits);
      }
    }
  }
  std::uint64_t hash() const { return hash_; }
  void close() {
    file_.close();
    if (!file_) throw std::runtime_error(path_ + ": cannot be written");
  }

 private:
  static std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  std::string path_;
  std::ofstream file_;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

#endif
