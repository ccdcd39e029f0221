// SPDX-License-Identifier: Apache-2.0
/** What was measured of a job, in the text format of Prometheus. */
@NullMarked
package io.thalweg.web.metrics;

import org.jspecify.annotations.NullMarked;
