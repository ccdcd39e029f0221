// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is set beyond what the job and the command line say.
 *
 * @param all of them, each setting once
 */
public record Choices(List<Choice> all) {
    /** Nothing. */
    public static final Choices NONE = new Choices(List.of());

    public Choices {
        all = List.copyOf(all);
    }

    /** With one more, or another value of one that is there. */
    public Choices with(Choice choice) {
        List<Choice> next = new ArrayList<>(all);
        next.removeIf(choice::isOfSame);
        next.add(choice);
        return new Choices(next);
    }

    /** The value of a setting of the whole job; null if it is not set. */
    public @Nullable String value(Setting setting) {
        return all.stream()
                .filter(each -> each.operator().isEmpty() && each.setting() == setting)
                .map(Choice::value)
                .findFirst()
                .orElse(null);
    }
}
