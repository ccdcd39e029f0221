// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.blind;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A job of the blind half, as {@code blind.tsv} tells of it.
 *
 * @param name of its file
 * @param rules one of which must be that of the first finding; none if the job is healthy
 * @param operators one of which the first finding must name; {@code -} stands for none
 * @param second rule of the other fault; empty if there is none
 * @param missed its fault is not named first, even with the rules of today
 */
record BlindJob(String name, List<String> rules, List<String> operators, String second, boolean missed) {
    static List<BlindJob> all() throws IOException {
        Map<String, String> rules = new HashMap<>();
        lines("rules.tsv").forEach(line -> rules.put(line.split("\t")[0], line.split("\t")[1]));
        Set<String> missed = Set.copyOf(lines("missed.tsv"));
        List<BlindJob> all = new ArrayList<>();
        for (String line : lines("blind.tsv")) {
            String[] fields = line.split("\t");
            List<String> first = new ArrayList<>();
            for (String kind : fields[1].split(" \\| ")) {
                if (!kind.equals("-")) {
                    first.add(Objects.requireNonNull(rules.get(kind), kind));
                }
            }
            String second = fields[3].equals("-") ? "" : rules.get(fields[3].split(" @ ")[0]);
            List<String> operators = List.of(fields[2].split(" \\| "));
            all.add(new BlindJob(
                    fields[0], first, operators, Objects.requireNonNull(second), missed.contains(fields[0])));
        }
        return all;
    }

    static List<String> lines(String file) throws IOException {
        try (InputStream list = BlindJob.class.getResourceAsStream("/blind/" + file)) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
