// SPDX-License-Identifier: Apache-2.0
/** Tries settings of a job one after the other, and keeps those that pay: which one next, the verdict, the report. Runs nothing itself. */
@NullMarked
package io.thalweg.doctor.tune;

import org.jspecify.annotations.NullMarked;
