// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Figure;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a finding together. Not thread-safe. */
final class Findings {
    private static final double PERCENT = 100;

    private final String rule;
    private final List<Figure> evidence = new ArrayList<>();
    private @Nullable String operator;
    private @Nullable String task;
    private String why = "";
    private String remedy = "";
    private @Nullable String option;
    private double most = Double.MAX_VALUE;

    private Findings(String rule) {
        this.rule = rule;
    }

    static Findings of(String rule) {
        return new Findings(rule);
    }

    Findings operator(@Nullable String name) {
        operator = name;
        return this;
    }

    Findings task(String name) {
        task = name;
        return this;
    }

    Findings figure(String name, double value, String unit) {
        evidence.add(new Figure(name, Math.round(value * 100) / 100.0, unit));
        return this;
    }

    Findings figure(String name, long value, String unit) {
        evidence.add(new Figure(name, (double) value, unit));
        return this;
    }

    Findings share(String name, double share) {
        evidence.add(new Figure(name, Math.round(share * PERCENT), "%"));
        return this;
    }

    Findings why(String text) {
        why = text;
        return this;
    }

    Findings remedy(String text) {
        remedy = text;
        return this;
    }

    Findings option(@Nullable String text) {
        option = text;
        return this;
    }

    /** The factor that no gain exceeds, however far off what is computed may be. */
    Findings atMost(double factor) {
        most = factor;
        return this;
    }

    /** A finding whose severity is the share of throughput that is lost. */
    List<Finding> throughput(double factor, String refutedBy) {
        return throughput(factor, factor, refutedBy);
    }

    /** The same for two factors, of which the lower one counts: more may be lost, or not. */
    List<Finding> throughput(double least, double highest, String refutedBy) {
        return least < Facts.MIN_GAIN
                ? List.of()
                : List.of(made(1 - 1 / least, Gain.throughput(least, highest).atMost(most), refutedBy));
    }

    Finding made(double severity, @Nullable Gain gain, String refutedBy) {
        return new Finding(
                rule,
                Math.round(severity * PERCENT) / PERCENT,
                operator,
                task,
                evidence,
                why,
                remedy,
                option,
                gain,
                refutedBy);
    }
}
