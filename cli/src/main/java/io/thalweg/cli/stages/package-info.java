// SPDX-License-Identifier: Apache-2.0
/** Times each operator of a job alone: records what comes to it, and gives it that again and again. */
@NullMarked
package io.thalweg.cli.stages;

import org.jspecify.annotations.NullMarked;
