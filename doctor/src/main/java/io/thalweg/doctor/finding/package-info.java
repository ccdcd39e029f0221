// SPDX-License-Identifier: Apache-2.0
/** What a diagnosis consists of. */
@NullMarked
package io.thalweg.doctor.finding;

import org.jspecify.annotations.NullMarked;
