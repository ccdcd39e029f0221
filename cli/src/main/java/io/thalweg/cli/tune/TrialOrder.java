// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.doctor.tune.Choice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM is to run.
 *
 * @param job file
 * @param className which class in it; null if the file tells
 * @param set {@code KEY=VALUE} each
 * @param road that it runs on, by its name
 * @param options of the road that were given, {@code NAME=VALUE} each
 * @param promises that it keeps
 * @param checkpoints folder for its checkpoints; null if it takes none
 * @param choices settings to run with
 * @param watched for the doctor
 * @param rate of records of all sources per second; 0 for as fast as possible
 * @param recorded folder of a {@link Stretch} that live sources are replaced by; null if nothing was recorded
 * @param result file that the JVM writes
 */
record TrialOrder(
        String job,
        @Nullable String className,
        List<String> set,
        String road,
        List<String> options,
        Promises promises,
        @Nullable String checkpoints,
        List<Choice> choices,
        boolean watched,
        double rate,
        @Nullable String recorded,
        String result) {}
