// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How an engine runs a job over files: a program that reads, writes and ends.
 *
 * @param command its words, with placeholders: {@code {job}}, the job as studies spell it, and {@code {Job}}, as classes do;
 *     {@code {input}}; {@code {output}}, which it may make a file or a folder; {@code {threads}}; {@code {times}}, a file into which
 *     it writes JSON with {@code elapsedNs}, how long the job itself took, and {@code version}, where the engine has one of its own;
 *     {@code {home}}, Thalweg's source tree; {@code {module}}, the folder of driver.yaml; {@code {java}}, {@code {classpath}} and
 *     {@code {python}}
 * @param python packages with their versions, such as {@code duckdb==1.2.3}, that {@code {python}} has; none if it needs no Python
 */
public record FileProgram(List<String> command, List<String> python) {
    /** The name of the variant that runs them, of every engine. */
    static final String VARIANT = "files";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w+)}");

    public FileProgram {
        python = python == null ? List.of() : python;
        if (command == null || command.isEmpty()) {
            throw new IllegalArgumentException("files needs a command");
        }
        for (String each : python) {
            if (!each.contains("==")) {
                throw new IllegalArgumentException("the package " + each + " needs a version: " + each + "==1.2.3");
            }
        }
    }

    /** The command with values in the places of their names. */
    List<String> command(Map<String, String> values) {
        List<String> words = new ArrayList<>();
        for (String word : command) {
            words.add(PLACEHOLDER.matcher(word).replaceAll(found -> {
                String value = values.get(found.group(1));
                if (value == null) {
                    throw new IllegalArgumentException(
                            "there is no {" + found.group(1) + "} in commands; there are " + values.keySet());
                }
                return Matcher.quoteReplacement(value);
            }));
        }
        return words;
    }
}
