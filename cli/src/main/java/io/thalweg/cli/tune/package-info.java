// SPDX-License-Identifier: Apache-2.0
/** Runs a job again and again in JVMs of its own with other settings, and compares what it puts out; applies what was found. */
@NullMarked
package io.thalweg.cli.tune;

import org.jspecify.annotations.NullMarked;
