#version 330
uniform mat4 view;
uniform mat4 light;
uniform mat4 light_two;
in vec3 position;
in vec3 normal;
in vec3 texel;
in vec3 colour;
in vec3 look;
in vec3 rest;
in vec3 rest_normal;
out vec3 v_position;
out vec3 v_normal;
out vec3 v_texel;
out vec3 v_colour;
out vec3 v_rest;
out vec3 v_rest_normal;
out vec3 v_lit;
out vec3 v_lit_two;
flat out vec3 v_look;

void main() {
    v_position = position;
    v_normal = normal;
    v_texel = texel;
    v_colour = colour;
    v_rest = rest;
    v_rest_normal = rest_normal;
    v_look = look;
    v_lit = (light * vec4(position + 0.4 * normal, 1.0)).xyz * 0.5 + 0.5;
    v_lit_two = (light_two * vec4(position + 0.4 * normal, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = view * vec4(position, 1.0);
}
