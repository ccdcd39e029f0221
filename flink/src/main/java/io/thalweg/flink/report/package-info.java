// SPDX-License-Identifier: Apache-2.0
/** Reports of tasks to the client, by accumulators: bad and late records, printed output, failures. */
@NullMarked
package io.thalweg.flink.report;

import org.jspecify.annotations.NullMarked;
