// SPDX-License-Identifier: Apache-2.0
/** A model of a job as stations and links, which says what another setting would bring. */
@NullMarked
package io.thalweg.doctor.whatif;

import org.jspecify.annotations.NullMarked;
