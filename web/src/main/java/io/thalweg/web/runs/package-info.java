// SPDX-License-Identifier: Apache-2.0
/** The page of all runs of a machine: those that run, and those that are kept. */
@NullMarked
package io.thalweg.web.runs;

import org.jspecify.annotations.NullMarked;
