// SPDX-License-Identifier: Apache-2.0
/** What a run tells about itself: progress while it goes, a summary at its end, a file of measurements. */
@NullMarked
package io.thalweg.cli.report;

import org.jspecify.annotations.NullMarked;
