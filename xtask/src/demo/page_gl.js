// Draws views with WebGL 2: a shadow pass, a floor, the skin, and lines that shine through faintly where they are hidden.
// Light and shading are those of raster.rs; change both.

const LIGHT = unit([-0.42, 0.95, 0.62]);
const SHADOW_SIDE = 2048;

const SKIN_HEAD = `#version 300 es
precision highp float; precision highp sampler2D;
layout(location=0) in vec3 aPosition; layout(location=1) in vec4 aNormal; layout(location=2) in vec4 aColour;
layout(location=3) in uvec4 aJoints; layout(location=4) in vec4 aWeights; layout(location=5) in vec2 aPlace;
uniform sampler2D uJoints; uniform mat4 uClip;
vec3 skinned(vec4 v) {
  vec3 sum = vec3(0); float total = 0.0;
  for (int i = 0; i < 4; i++) {
    float w = aWeights[i]; if (w == 0.0) continue;
    int j = int(aJoints[i]);
    vec3 p = vec3(dot(texelFetch(uJoints, ivec2(0, j), 0), v), dot(texelFetch(uJoints, ivec2(1, j), 0), v), dot(texelFetch(uJoints, ivec2(2, j), 0), v));
    sum += w * p; total += w;
  }
  return sum / total;
}`;

const SHADOW_VERTEX = `${SKIN_HEAD}
void main() { gl_Position = uClip * vec4(skinned(vec4(aPosition, 1)), 1); }`;
const SHADOW_FRAGMENT = `#version 300 es
precision highp float; void main() {}`;

const SKIN_VERTEX = `${SKIN_HEAD}
out vec3 vPoint; out vec3 vNormal; out vec4 vColour; out vec2 vPlace;
void main() {
  vPlace = aPlace;
  vPoint = skinned(vec4(aPosition, 1)); vNormal = skinned(vec4(aNormal.xyz, 0));
  vColour = vec4(pow(aColour.rgb, vec3(2.2)), aNormal.w);
  gl_Position = uClip * vec4(vPoint, 1);
}`;

const LIT = `
uniform highp sampler2DShadow uShadow; uniform mat4 uShadowClip; uniform vec3 uLight; uniform float uShadowMetre;
float lit(vec3 p, float spread) {
  vec3 c = (uShadowClip * vec4(p, 1)).xyz * 0.5 + 0.5;
  if (any(lessThan(c, vec3(0.01))) || any(greaterThan(c, vec3(0.99)))) return 1.0;
  float s = max(spread * uShadowMetre * 0.5, 0.7 / ${SHADOW_SIDE}.0), open = 0.0;
  for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++) {
    vec2 o = vec2(float(x) + 0.25 * float(y), float(y) - 0.25 * float(x)) * s;
    open += texture(uShadow, vec3(c.xy + o, c.z - 0.0012 - 0.15 * s));
  }
  return open / 25.0;
}`;

const SKIN_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vPoint; in vec3 vNormal; in vec4 vColour; in vec2 vPlace; out vec4 oColour;
uniform vec3 uEye; uniform float uFloor, uCutoff, uTwoSided; uniform sampler2D uPicture; ${LIT}
void main() {
  vec4 picture = texture(uPicture, vPlace);
  if (picture.a < uCutoff) discard;
  vec3 n = normalize(vNormal), v = normalize(uEye - vPoint);
  // Hair and clothes of models are often one layer, seen from both sides.
  if (uTwoSided > 0.5 && dot(n, v) < 0.0) n = -n;
  float open = vColour.a, facing = dot(n, uLight);
  float l = facing > 0.0 ? lit(vPoint + n * 0.008, 0.008) : 1.0;
  vec3 sky = mix(vec3(0.42, 0.38, 0.36), vec3(0.66, 0.72, 0.82), 0.5 + 0.5 * n.y) * (0.72 * open);
  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0) * 0.22 * open * (0.6 + 0.4 * n.y);
  float gleam = pow(max(dot(n, normalize(uLight + v)), 0.0), 32.0) * 0.07 * l;
  float low = 1.0 - 0.35 * (1.0 - smoothstep(0.0, 0.25, vPoint.y - uFloor));
  vec3 c = vColour.rgb * pow(picture.rgb, vec3(2.2)) * (sky * low + vec3(1.0, 0.95, 0.88) * (max(facing, 0.0) * l * 0.92));
  oColour = vec4(pow(c + vec3(0.8, 0.9, 1.0) * rim + gleam, vec3(1.0 / 2.2)), picture.a);
}`;

const FLOOR_VERTEX = `#version 300 es
precision highp float;
out vec2 vAt;
void main() { vAt = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1); gl_Position = vec4(vAt, 0, 1); }`;
const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 vAt; out vec4 oColour;
uniform vec3 uEye, uAhead, uRight, uUp, uNear, uFar, uGround, uCentre; uniform vec2 uSlope; uniform float uFloor, uGrid; ${LIT}
float grid(vec2 p, float spacing, float pixel) {
  vec2 d = abs(fract(p / spacing + 0.5) - 0.5) * spacing;
  return 1.0 - smoothstep(0.0, 1.6 * pixel + 0.003, min(d.x, d.y));
}
void main() {
  vec3 ray = uAhead + uRight * vAt.x * uSlope.x + uUp * vAt.y * uSlope.y;
  float height = normalize(ray).y, reach = (uFloor - uEye.y) / ray.y;
  vec3 far = mix(uNear, uFar, smoothstep(-0.05, 0.6, height)), c = far;
  if (ray.y < -1e-4 && reach > 0.0) {
    vec3 p = uEye + ray * reach;
    float pixel = length(fwidth(p.xz)) * 0.6;
    float lines = 0.10 * grid(p.xz, 0.25, pixel) + 0.16 * grid(p.xz, 1.0, pixel);
    vec3 ground = uGround * (1.0 - uGrid * lines) * (0.58 + 0.42 * lit(p, 0.022));
    c = mix(ground, far, smoothstep(2.0, 7.0, length(p.xz - uCentre.xz)));
  }
  oColour = vec4(pow(c, vec3(1.0 / 2.2)), 1);
}`;

const LINE_VERTEX = `#version 300 es
precision highp float;
layout(location=0) in vec3 aFrom; layout(location=1) in vec3 aTo; layout(location=2) in vec4 aColour; layout(location=3) in float aWidth;
uniform mat4 uClip; uniform vec2 uSize; out vec4 vColour; out vec2 vAt; out float vLength; out float vHalf;
void main() {
  vec4 a = uClip * vec4(aFrom, 1), b = uClip * vec4(aTo, 1);
  float near = 0.01;
  if (a.w < near && b.w < near) { gl_Position = vec4(2, 2, 2, 1); return; }
  if (a.w < near) a = mix(b, a, (b.w - near) / (b.w - a.w));
  if (b.w < near) b = mix(a, b, (a.w - near) / (a.w - b.w));
  vec2 pa = a.xy / a.w * uSize * 0.5, pb = b.xy / b.w * uSize * 0.5, d = pb - pa;
  vLength = length(d); d = vLength > 1e-4 ? d / vLength : vec2(1, 0);
  vHalf = aWidth * 0.5;
  float end = float(gl_VertexID & 1), side = float(gl_VertexID >> 1) * 2.0 - 1.0, out_ = (end * 2.0 - 1.0) * (vHalf + 1.0);
  vec4 base = end > 0.5 ? b : a;
  vec2 p = (end > 0.5 ? pb : pa) + d * out_ + vec2(-d.y, d.x) * side * (vHalf + 1.0);
  vAt = vec2(end * vLength + out_, side * (vHalf + 1.0)); vColour = aColour;
  gl_Position = vec4(p / (uSize * 0.5) * base.w, base.z, base.w);
}`;
const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec4 vColour; in vec2 vAt; in float vLength; in float vHalf; out vec4 oColour; uniform float uAlpha;
void main() {
  float away = length(vec2(max(max(-vAt.x, vAt.x - vLength), 0.0), vAt.y));
  float a = vColour.a * uAlpha * clamp(vHalf + 0.5 - away, 0.0, 1.0);
  if (a < 0.004) discard;
  oColour = vec4(vColour.rgb, a);
}`;

function createGlRenderer(canvas, changed) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
  if (!gl) return null;

  const program = (vertex, fragment) => {
    const p = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const s = gl.createShader(type);
      gl.shaderSource(s, source);
      gl.compileShader(s);
      if (!gl.getShaderParameter(s, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(s));
      gl.attachShader(p, s);
    }
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(p));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(p, i).name;
      at[name] = gl.getUniformLocation(p, name);
    }
    return { p, at };
  };
  const shadowProgram = program(SHADOW_VERTEX, SHADOW_FRAGMENT), skinProgram = program(SKIN_VERTEX, SKIN_FRAGMENT);
  const floorProgram = program(FLOOR_VERTEX, FLOOR_FRAGMENT), lineProgram = program(LINE_VERTEX, LINE_FRAGMENT);

  const skin = gl.createVertexArray();
  gl.bindVertexArray(skin);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, data.vertices, gl.STATIC_DRAW);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 40, 0);
  gl.vertexAttribPointer(1, 4, gl.BYTE, true, 40, 12);
  gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 40, 16);
  gl.vertexAttribIPointer(3, 4, gl.UNSIGNED_SHORT, 40, 20);
  gl.vertexAttribPointer(4, 4, gl.UNSIGNED_BYTE, true, 40, 28);
  gl.vertexAttribPointer(5, 2, gl.FLOAT, false, 40, 32);
  for (let i = 0; i < 6; i++) gl.enableVertexAttribArray(i);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, data.indices, gl.STATIC_DRAW);
  const indexType = meta.wideIndices ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;

  const lineArray = gl.createVertexArray(), lineBuffer = gl.createBuffer();
  gl.bindVertexArray(lineArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
  [[0, 3, 0], [1, 3, 12], [2, 4, 24], [3, 1, 40]].forEach(([i, n, offset]) => {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, n, gl.FLOAT, false, 44, offset);
    gl.vertexAttribDivisor(i, 1);
  });
  const empty = gl.createVertexArray();

  const texture = (unit_, set) => { gl.activeTexture(gl.TEXTURE0 + unit_); const t = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, t); set(); return t; };
  const parameter = (name, value) => gl.texParameteri(gl.TEXTURE_2D, name, value);
  texture(0, () => {
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 3, meta.joints + 1);
    parameter(gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    parameter(gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  });
  const shadowMap = texture(1, () => {
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIDE, SHADOW_SIDE);
    parameter(gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    parameter(gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    parameter(gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    parameter(gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    parameter(gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  });
  // White until a picture is decoded, and where there is none.
  const plain = new Uint8Array([255, 255, 255, 255]);
  const picture = () => texture(2, () => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, plain));
  const noPicture = picture();
  const pictures = meta.images.map((type, i) => {
    const made = picture(), options = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
    createImageBitmap(new Blob([bytesOf(`image-${i}`)], { type }), options).then((bitmap) => {
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, made);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
      gl.generateMipmap(gl.TEXTURE_2D);
      parameter(gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      changed();
    }, (error) => console.warn(`picture ${i} of the model is not shown: ${error.message}`));
    return made;
  });
  const shadowTarget = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadowMap, 0);
  gl.drawBuffers([gl.NONE]);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);

  // Half the side of the lit square, and the matrix that looks along the light.
  function shadowView(view) {
    const hips = at3(view.pose, meta.hips * POSE), far = Math.hypot(...sub(at3(view.cylinder, 0), hips));
    const radius = Math.max(1.25 * meta.scale, Math.min(far + 0.35 * meta.scale, 4 * meta.scale));
    const right = unit(cross(LIGHT, [0, 1, 0])), up = cross(right, LIGHT), ahead = scaled(LIGHT, -1);
    const depth = radius * 2;
    const column = (i) => [right[i] / radius, up[i] / radius, ahead[i] / depth, 0];
    const clip = new Float32Array([...column(0), ...column(1), ...column(2), -dot(right, hips) / radius, -dot(up, hips) / radius, -dot(ahead, hips) / depth, 1]);
    return { clip, perMetre: 0.5 / radius };
  }

  function drawView(view, theme) {
    const [x, y, w, h] = view.box, cam = pinhole(view.camera, w, h), shadow = shadowView(view);
    const count = view.layers.body ? data.indices.length : view.cylinderIndices;
    const offset = (data.indices.length - count) * data.indices.BYTES_PER_ELEMENT;
    gl.activeTexture(gl.TEXTURE0);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 3, meta.joints + 1, gl.RGBA, gl.FLOAT, skinMatrices(view.pose, view.cylinder));

    gl.bindFramebuffer(gl.FRAMEBUFFER, shadowTarget);
    gl.viewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.bindVertexArray(skin);
    // A texture may not be read and written at once.
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.useProgram(shadowProgram.p);
    gl.uniform1i(shadowProgram.at.uJoints, 0);
    gl.uniformMatrix4fv(shadowProgram.at.uClip, false, shadow.clip);
    gl.drawElements(gl.TRIANGLES, count, indexType, offset);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindTexture(gl.TEXTURE_2D, shadowMap);

    gl.viewport(x, y, w, h);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, w, h);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    const light = (program_) => {
      gl.useProgram(program_.p);
      gl.uniform1i(program_.at.uShadow, 1);
      gl.uniformMatrix4fv(program_.at.uShadowClip, false, shadow.clip);
      gl.uniform3fv(program_.at.uLight, LIGHT);
      gl.uniform1f(program_.at.uShadowMetre, shadow.perMetre);
      gl.uniform3fv(program_.at.uEye, cam.eye);
      gl.uniform1f(program_.at.uFloor, meta.floor);
    };
    light(floorProgram);
    const set3 = (name, value) => gl.uniform3fv(floorProgram.at[name], value);
    set3("uAhead", cam.ahead); set3("uRight", cam.right); set3("uUp", cam.up);
    set3("uCentre", at3(view.pose, meta.hips * POSE)); set3("uNear", theme.near); set3("uFar", theme.far); set3("uGround", theme.ground);
    gl.uniform1f(floorProgram.at.uGrid, theme.grid);
    gl.uniform2f(floorProgram.at.uSlope, 0.5 * w / cam.zoom, 0.5 * h / cam.zoom);
    gl.bindVertexArray(empty);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);

    light(skinProgram);
    gl.uniform1i(skinProgram.at.uJoints, 0);
    gl.uniformMatrix4fv(skinProgram.at.uClip, false, cam.clip);
    gl.bindVertexArray(skin);
    gl.uniform1i(skinProgram.at.uPicture, 2);
    gl.activeTexture(gl.TEXTURE2);
    const part = (first, count, picture, cutoff, twoSided) => {
      gl.bindTexture(gl.TEXTURE_2D, picture);
      gl.uniform1f(skinProgram.at.uCutoff, cutoff);
      gl.uniform1f(skinProgram.at.uTwoSided, twoSided);
      gl.drawElements(gl.TRIANGLES, count, indexType, first * data.indices.BYTES_PER_ELEMENT);
    };
    part(data.indices.length - view.cylinderIndices, view.cylinderIndices, noPicture, 0, 0);
    for (const group of view.layers.body ? meta.groups : []) {
      if (group.blended) { gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); }
      part(group.first, group.count, pictures[group.image] ?? noPicture, group.cutoff, meta.isOwnMesh ? 1 : 0);
      gl.disable(gl.BLEND);
    }
    drawLines(view, cam, w, h);
  }

  function drawLines(view, cam, w, h) {
    const rows = new Float32Array(view.lines.length * 11);
    view.lines.forEach((l, i) => rows.set([...l.from, ...l.to, l.colour[0] / 255, l.colour[1] / 255, l.colour[2] / 255, l.alpha, l.width * view.ratio], i * 11));
    gl.useProgram(lineProgram.p);
    gl.bindVertexArray(lineArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, lineBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, rows, gl.DYNAMIC_DRAW);
    gl.uniformMatrix4fv(lineProgram.at.uClip, false, cam.clip);
    gl.uniform2f(lineProgram.at.uSize, w, h);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    for (const [test, alpha] of [[gl.LEQUAL, 1], [gl.GREATER, 0.32]]) {
      gl.depthFunc(test);
      gl.uniform1f(lineProgram.at.uAlpha, alpha);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, view.lines.length);
    }
    gl.depthMask(true);
    gl.depthFunc(gl.LEQUAL);
  }

  return { name: "webgl", draw: (views, theme) => { for (const view of views) drawView(view, theme); }, lost: () => gl.isContextLost() };
}
