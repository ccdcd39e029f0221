// SPDX-License-Identifier: Apache-2.0
/** Spouts and bolts in other languages: a child process for each task, by Storm's JSON protocol or in packed frames. */
@NullMarked
package io.thalweg.stormdoor.multilang;

import org.jspecify.annotations.NullMarked;
