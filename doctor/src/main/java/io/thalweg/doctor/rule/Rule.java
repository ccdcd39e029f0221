// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import io.thalweg.doctor.finding.Finding;
import java.util.List;

/** A pure function from what was observed to what is wrong. */
public interface Rule {
    /** What is wrong; nothing if the rule does not apply, or if what it needs was not observed. */
    List<Finding> findings(Facts facts);
}
