// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

/**
 * A setting with a value.
 *
 * @param operator that it is for; empty if it is for the whole job
 * @param name of the setting, as {@link Setting#word}
 * @param value of it
 */
public record Choice(String operator, String name, String value) {
    /** @throws IllegalArgumentException if there is no such setting, or it cannot have that value; the message is one line */
    public Choice {
        String problem = Setting.of(name, !operator.isEmpty()).problem(value);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** For the whole job. */
    public static Choice of(Setting setting, Object value) {
        return new Choice("", setting.word(), value.toString());
    }

    /** For an operator. */
    public static Choice of(String operator, Setting setting, Object value) {
        return new Choice(operator, setting.word(), value.toString());
    }

    /** Which setting it is. */
    public Setting setting() {
        return Setting.of(name, !operator.isEmpty());
    }

    /** Whether both are values of one setting. */
    public boolean isOfSame(Choice other) {
        return operator.equals(other.operator) && name.equals(other.name);
    }

    /** For people: {@code threads: 2}, {@code 'parse' parallelism: 4}. */
    public String words() {
        return (operator.isEmpty() ? "" : "'" + operator + "' ") + name + ": " + value;
    }
}
