// SPDX-License-Identifier: Apache-2.0
/** The lab: published studies, reproduced side by side on every engine. {@link io.thalweg.lab.run.LabRun} is its door. */
@NullMarked
package io.thalweg.lab;

import org.jspecify.annotations.NullMarked;
