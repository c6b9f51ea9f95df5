#version 330
uniform sampler2DArray prints;
in vec3 v_texel;
flat in vec3 v_look;
out vec4 shown;

void main() {
    if (v_look.x > 1.5 && v_look.x < 2.5 && texture(prints, v_texel).a < 0.5) discard;
    shown = vec4(mod(v_look.y, 256.0) / 255.0, floor(v_look.y / 256.0) / 255.0, 0.0, 1.0);
}
