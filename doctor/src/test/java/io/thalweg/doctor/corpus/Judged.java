// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.finding.Finding;
import java.util.List;

/** What a diagnosis of a planted job must say. */
final class Judged {
    private Judged() {}

    /** The first finding is one of the faults, and all faults are found; a healthy job has no finding. */
    static void check(List<String> faults, Diagnosis diagnosis) {
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        String text = DiagnosisText.of(diagnosis);
        if (faults.isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty().containsAll(faults);
            assertThat(faults).as(text).contains(found.get(0));
        }
    }
}
