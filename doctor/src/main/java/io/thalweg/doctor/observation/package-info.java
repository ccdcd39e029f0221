// SPDX-License-Identifier: Apache-2.0
/** What was measured of a job on any engine, as plain data, and its JSON. */
@NullMarked
package io.thalweg.doctor.observation;

import org.jspecify.annotations.NullMarked;
