#version 330
uniform mat4 view;
uniform mat4 light;
in vec3 position;
in vec3 normal;
in vec3 rest;
in vec3 rest_normal;
in vec3 colour;
in float kind;
out vec3 v_position;
out vec3 v_normal;
out vec3 v_rest;
out vec3 v_rest_normal;
out vec3 v_colour;
out vec3 v_lit;
flat out float v_kind;

void main() {
    v_position = position;
    v_normal = normal;
    v_rest = rest;
    v_rest_normal = rest_normal;
    v_colour = colour;
    v_kind = kind;
    v_lit = (light * vec4(position + 1.5 * normal, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = view * vec4(position, 1.0);
}
