// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Setting;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cells that an engine cannot run, as its {@code driver.yaml} declares them: those for which all conditions of one entry of
 * {@code when} hold. A condition names a setting and the value it has, or a list of values of which it has one, or {@code not
 * VALUE}; for a number also {@code over N} or {@code under N}. In place of a number there may be another setting. A setting that
 * the cell does not have counts by its default.
 */
public record Refusal(List<Map<String, List<String>>> when, String why) {
    private enum Verb {
        IS,
        NOT,
        OVER,
        UNDER
    }

    private record Term(Verb verb, String operand) {
        static Term of(String text) {
            for (Verb verb : List.of(Verb.NOT, Verb.OVER, Verb.UNDER)) {
                String word = verb.name().toLowerCase(Locale.ROOT) + " ";
                if (text.startsWith(word)) {
                    return new Term(verb, text.substring(word.length()).strip());
                }
            }
            return new Term(Verb.IS, text);
        }
    }

    /**
     * @param variants that the engine has
     * @throws IllegalArgumentException if a condition can never be read or never hold; the message says why
     */
    void check(Collection<String> variants) {
        if (why == null || why.isBlank() || when == null || when.isEmpty()) {
            throw new IllegalArgumentException("a refusal needs when and why");
        }
        for (Map<String, List<String>> conditions : when) {
            if (conditions.isEmpty()) {
                throw new IllegalArgumentException("a refusal needs a condition: " + why);
            }
            conditions.forEach((name, terms) -> terms.forEach(term -> check(name, Term.of(term), terms, variants)));
        }
    }

    private static void check(String name, Term term, List<String> terms, Collection<String> variants) {
        Setting setting = Setting.named(name);
        if (setting.otherwise().isEmpty()) {
            throw new IllegalArgumentException(name + " has no default, so it cannot be a condition");
        }
        if (term.verb() != Verb.IS && terms.size() > 1) {
            throw new IllegalArgumentException(name + ": a list holds values alone, not '" + terms + "'");
        }
        if (term.verb() != Verb.IS && term.verb() != Verb.NOT && !setting.isNumber()) {
            throw new IllegalArgumentException(name + " is no number, so nothing is over or under it");
        }
        if (setting.isNumber() && isName(term.operand())) {
            if (!Setting.named(term.operand()).isNumber()) {
                throw new IllegalArgumentException(name + " cannot be compared to " + term.operand() + ", no number");
            }
        } else if (name.equals("variant") && !variants.contains(term.operand())) {
            throw new IllegalArgumentException("there is no variant '" + term.operand() + "'; there are " + variants);
        } else {
            setting.check(term.operand());
        }
    }

    private static boolean isName(String operand) {
        return !operand.isEmpty() && Character.isLetter(operand.charAt(0));
    }

    boolean appliesTo(Cell cell) {
        return when.stream()
                .anyMatch(conditions -> conditions.entrySet().stream()
                        .allMatch(each ->
                                each.getValue().stream().anyMatch(term -> holds(cell, each.getKey(), Term.of(term)))));
    }

    private static boolean holds(Cell cell, String name, Term term) {
        String operand = term.operand();
        int compared;
        if (Setting.named(name).isNumber()) {
            long other =
                    isName(operand) ? cell.number(operand) : Setting.named(name).parse(operand);
            compared = Long.compare(cell.number(name), other);
        } else {
            compared = cell.value(name).compareTo(operand);
        }
        return switch (term.verb()) {
            case IS -> compared == 0;
            case NOT -> compared != 0;
            case OVER -> compared > 0;
            case UNDER -> compared < 0;
        };
    }
}
