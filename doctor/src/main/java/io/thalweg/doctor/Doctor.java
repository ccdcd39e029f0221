// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor;

import io.thalweg.api.stats.PlanInfo;
import io.thalweg.doctor.finding.WhatIf;
import io.thalweg.doctor.observation.ConsumerGroup;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.rule.BoundOf;
import io.thalweg.doctor.rule.Facts;
import io.thalweg.doctor.rule.GroupRules;
import io.thalweg.doctor.rule.Latency;
import io.thalweg.doctor.rule.NetworkOf;
import io.thalweg.doctor.rule.Rules;
import io.thalweg.doctor.whatif.Changes;
import io.thalweg.doctor.whatif.WhatIfs;
import org.jspecify.annotations.Nullable;

/** Judges observations. The same observation always leads to the same diagnosis. */
public final class Doctor {
    private Doctor() {}

    /**
     * What limits the job, and what is wrong with it.
     *
     * @throws IllegalArgumentException if the observation has no spans, or names an operator that its plan does not have
     */
    public static Diagnosis diagnose(Observation observation) {
        return diagnose(observation, null);
    }

    /**
     * What limits the job, what is wrong with it, and what changes would bring.
     *
     * @param changes null for none
     * @throws IllegalArgumentException also if a change cannot be made to this job; the message is one line
     */
    public static Diagnosis diagnose(Observation observation, @Nullable Changes changes) {
        ConsumerGroup group = observation.group();
        if (group != null) {
            if (changes != null) {
                throw new IllegalArgumentException(
                        "--what-if is for jobs, and " + group.group() + " is a consumer group");
            }
            return new Diagnosis(
                    Observation.VERSION, GroupRules.bound(group), GroupRules.findings(group), observation, null, null);
        }
        if (observation.spans().isEmpty()) {
            throw new IllegalArgumentException("nothing was observed: there are no spans");
        }
        Facts facts = new Facts(observation);
        return new Diagnosis(
                Observation.VERSION,
                BoundOf.of(facts),
                Rules.findings(facts),
                observation,
                changes == null ? null : whatIf(facts, observation, changes),
                Latency.of(facts));
    }

    private static WhatIf whatIf(Facts facts, Observation observation, Changes changes) {
        try {
            Changes meant = changes.of(observation.plan().operators().stream()
                    .map(PlanInfo.Operator::name)
                    .toList());
            return WhatIfs.of(NetworkOf.of(facts), NetworkOf.rate(facts), NetworkOf.latencyUs(facts), meant);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--what-if: " + e.getMessage(), e);
        }
    }
}
