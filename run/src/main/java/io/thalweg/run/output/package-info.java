// SPDX-License-Identifier: Apache-2.0
/** What a job puts out as digests, on any runner in this JVM, so that runs can be compared without writing anything. */
@NullMarked
package io.thalweg.run.output;

import org.jspecify.annotations.NullMarked;
