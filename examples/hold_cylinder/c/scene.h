/* Reading a scene file and writing a pose file, for hold_cylinder.c. Nothing here concerns Sinew;
 * the formats are in ../README.md. Bytes are put together by hand, so the host may be of either
 * byte order. */
#ifndef HOLD_CYLINDER_SCENE_H
#define HOLD_CYLINDER_SCENE_H

#include <sinew/sinew.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What happens in one frame of the scene. */
typedef struct Frame {
    uint32_t ik_active;            /* 1 while the character shall hold the cylinder */
    SinewTransform root;           /* world space */
    SinewTransform cylinder;       /* world space */
    const SinewTransform *animation; /* joint_count local transforms */
} Frame;

/* A character, its animation and the cylinder it takes hold of. */
typedef struct Scene {
    uint32_t joint_count;
    uint32_t frame_count;
    float delta_time_s;
    int32_t *parents;              /* -1 for a root */
    SinewTransform *rest;          /* local */
    const char **names;            /* UTF-8, zero-terminated */
    char *name_bytes;
    int32_t human_joints[SINEW_HUMAN_BONE_COUNT]; /* joint of each human bone, or -1 */
    SinewTransform handle_local;   /* where the hand goes, in the cylinder */
    float cylinder_radius_m;
    float cylinder_length_m;
    Frame *frames;
    SinewTransform *animation;
} Scene;

static void scene_fail(const char *path, const char *why)
{
    fprintf(stderr, "hold_cylinder: %s: %s\n", path, why);
    exit(2);
}

static void *scene_alloc(const char *path, size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size);
    if (memory == NULL) {
        scene_fail(path, "not enough memory");
    }
    return memory;
}

/* A file in memory and how far it has been read. */
typedef struct Reader {
    const char *path;
    unsigned char *bytes;
    size_t size;
    size_t at;
} Reader;

static const unsigned char *read_bytes(Reader *reader, size_t count)
{
    const unsigned char *bytes = reader->bytes + reader->at;
    if (count > reader->size - reader->at) {
        scene_fail(reader->path, "ends too early");
    }
    reader->at += count;
    return bytes;
}

static uint32_t read_u32(Reader *reader)
{
    const unsigned char *b = read_bytes(reader, 4);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int32_t read_i32(Reader *reader)
{
    uint32_t bits = read_u32(reader);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float read_f32(Reader *reader)
{
    uint32_t bits = read_u32(reader);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static SinewTransform read_transform(Reader *reader)
{
    SinewTransform t;
    t.position.x = read_f32(reader);
    t.position.y = read_f32(reader);
    t.position.z = read_f32(reader);
    t.rotation.x = read_f32(reader);
    t.rotation.y = read_f32(reader);
    t.rotation.z = read_f32(reader);
    t.rotation.w = read_f32(reader);
    t.scale.x = read_f32(reader);
    t.scale.y = read_f32(reader);
    t.scale.z = read_f32(reader);
    return t;
}

static Reader reader_open(const char *path)
{
    Reader reader = {path, NULL, 0, 0};
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16;
    if (file == NULL) {
        scene_fail(path, "cannot be opened");
    }
    reader.bytes = scene_alloc(path, room, 1);
    for (;;) {
        size_t got = fread(reader.bytes + reader.size, 1, room - reader.size, file);
        reader.size += got;
        if (got == 0) {
            break;
        }
        if (reader.size == room) {
            unsigned char *larger = realloc(reader.bytes, room *= 2);
            if (larger == NULL) {
                scene_fail(path, "not enough memory");
            }
            reader.bytes = larger;
        }
    }
    fclose(file);
    return reader;
}

static void scene_read_joint(Reader *reader, Scene *scene, uint32_t joint, char *name)
{
    int32_t human_bone;
    uint32_t length;
    scene->parents[joint] = read_i32(reader);
    human_bone = read_i32(reader);
    if (human_bone >= (int32_t)SINEW_HUMAN_BONE_COUNT) {
        scene_fail(reader->path, "a human bone is out of range");
    }
    if (human_bone >= 0) {
        scene->human_joints[human_bone] = (int32_t)joint;
    }
    scene->rest[joint] = read_transform(reader);
    length = read_u32(reader);
    memcpy(name, read_bytes(reader, length), length);
    name[length] = '\0';
    (void)read_bytes(reader, (4 - length % 4) % 4);
    scene->names[joint] = name;
}

static Scene scene_load(const char *path)
{
    Scene scene;
    Reader reader = reader_open(path);
    uint32_t i, j;
    char *name;

    memset(&scene, 0, sizeof scene);
    if (memcmp(read_bytes(&reader, 8), "SNWSCENE", 8) != 0 || read_u32(&reader) != 1) {
        scene_fail(path, "is not a scene of version 1");
    }
    scene.joint_count = read_u32(&reader);
    scene.frame_count = read_u32(&reader);
    scene.delta_time_s = read_f32(&reader);
    if (scene.joint_count > reader.size / 52 || scene.frame_count > reader.size / 84) {
        scene_fail(path, "is shorter than its counts say");
    }

    scene.parents = scene_alloc(path, scene.joint_count, sizeof *scene.parents);
    scene.rest = scene_alloc(path, scene.joint_count, sizeof *scene.rest);
    scene.names = scene_alloc(path, scene.joint_count, sizeof *scene.names);
    scene.name_bytes = name = scene_alloc(path, reader.size, 1);
    for (i = 0; i < SINEW_HUMAN_BONE_COUNT; ++i) {
        scene.human_joints[i] = -1;
    }
    for (i = 0; i < scene.joint_count; ++i) {
        scene_read_joint(&reader, &scene, i, name);
        name += strlen(name) + 1;
    }
    scene.handle_local = read_transform(&reader);
    scene.cylinder_radius_m = read_f32(&reader);
    scene.cylinder_length_m = read_f32(&reader);

    scene.frames = scene_alloc(path, scene.frame_count, sizeof *scene.frames);
    if (scene.joint_count != 0 && scene.frame_count > reader.size / 40 / scene.joint_count) {
        scene_fail(path, "is shorter than its counts say");
    }
    scene.animation = scene_alloc(path, (size_t)scene.frame_count * scene.joint_count, sizeof *scene.animation);
    for (i = 0; i < scene.frame_count; ++i) {
        SinewTransform *animation = scene.animation + (size_t)i * scene.joint_count;
        scene.frames[i].ik_active = read_u32(&reader);
        scene.frames[i].root = read_transform(&reader);
        scene.frames[i].cylinder = read_transform(&reader);
        scene.frames[i].animation = animation;
        for (j = 0; j < scene.joint_count; ++j) {
            animation[j] = read_transform(&reader);
        }
    }
    free(reader.bytes);
    return scene;
}

static void scene_free(Scene *scene)
{
    free(scene->parents);
    free(scene->rest);
    free((void *)scene->names);
    free(scene->name_bytes);
    free(scene->frames);
    free(scene->animation);
    memset(scene, 0, sizeof *scene);
}

/* The pose file, and the hash of every transform written to it. */
typedef struct Writer {
    const char *path;
    FILE *file;
    uint64_t hash; /* FNV-1a, 64 bits */
} Writer;

static void write_u32(Writer *writer, uint32_t value)
{
    unsigned char bytes[4];
    bytes[0] = (unsigned char)(value & 0xff);
    bytes[1] = (unsigned char)(value >> 8 & 0xff);
    bytes[2] = (unsigned char)(value >> 16 & 0xff);
    bytes[3] = (unsigned char)(value >> 24 & 0xff);
    if (fwrite(bytes, 1, 4, writer->file) != 4) {
        scene_fail(writer->path, "cannot be written");
    }
}

static void write_f32(Writer *writer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    write_u32(writer, bits);
}

static Writer writer_open(const char *path, const Scene *scene)
{
    Writer writer = {path, NULL, 0xcbf29ce484222325u};
    writer.file = fopen(path, "wb");
    if (writer.file == NULL) {
        scene_fail(path, "cannot be opened");
    }
    if (fwrite("SNWPOSES", 1, 8, writer.file) != 8) {
        scene_fail(path, "cannot be written");
    }
    write_u32(&writer, 1);
    write_u32(&writer, scene->joint_count);
    write_u32(&writer, scene->frame_count);
    return writer;
}

static void write_pose(Writer *writer, const SinewTransform *pose, uint32_t count)
{
    uint32_t joint, part, shift;
    for (joint = 0; joint < count; ++joint) {
        float numbers[10];
        memcpy(numbers, &pose[joint], sizeof numbers);
        for (part = 0; part < 10; ++part) {
            uint32_t bits;
            memcpy(&bits, &numbers[part], sizeof bits);
            for (shift = 0; shift < 32; shift += 8) {
                writer->hash = (writer->hash ^ (bits >> shift & 0xff)) * 0x100000001b3u;
            }
            write_u32(writer, bits);
        }
    }
}

static void writer_close(Writer *writer)
{
    if (fclose(writer->file) != 0) {
        scene_fail(writer->path, "cannot be written");
    }
}

#endif
