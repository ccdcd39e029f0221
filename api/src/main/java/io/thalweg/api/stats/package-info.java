// SPDX-License-Identifier: Apache-2.0
/** What was measured in a run: the one thing that progress, reports and tools read. */
@NullMarked
package io.thalweg.api.stats;

import org.jspecify.annotations.NullMarked;
