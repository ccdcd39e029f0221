// SPDX-License-Identifier: Apache-2.0
/** Says what limits a job, and what would help. */
@NullMarked
package io.thalweg.doctor;

import org.jspecify.annotations.NullMarked;
