// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.page;

/**
 * What a doctor says of a job that runs.
 *
 * @param number grows with each; from 1
 * @param json an object of JSON, in one line, with the {@code bound} and the {@code findings} of a diagnosis; or with a {@code problem}, a text that says why there is none
 */
public record Judgement(long number, String json) {
    /** Before there is anything to judge. */
    public static final Judgement NONE = new Judgement(0, "{}");
}
