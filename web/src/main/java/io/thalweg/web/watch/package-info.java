// SPDX-License-Identifier: Apache-2.0
/** What was last measured of a job, and how it went in the minutes before. */
@NullMarked
package io.thalweg.web.watch;

import org.jspecify.annotations.NullMarked;
