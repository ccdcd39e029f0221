// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.finding.Finding;
import java.util.List;

/** What a diagnosis of a planted job must say. */
public final class Judged {
    private static final String IN = " @ ";

    private Judged() {}

    /**
     * The first finding is one of the faults, and all faults are found; a healthy job has no finding.
     *
     * @param faults each as its rule, or as RULE @ OPERATOR where it must be found in that one
     */
    public static void check(List<String> faults, Diagnosis diagnosis) {
        List<Finding> found = diagnosis.findings();
        String text = DiagnosisText.of(diagnosis);
        if (faults.isEmpty()) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty();
            assertThat(faults).as(text).allMatch(fault -> found.stream().anyMatch(each -> is(each, fault)));
            assertThat(faults).as(text).anyMatch(fault -> is(found.get(0), fault));
        }
    }

    private static boolean is(Finding found, String fault) {
        String[] parts = fault.split(IN);
        return found.rule().equals(parts[0]) && (parts.length == 1 || parts[1].equals(found.operator()));
    }
}
