// SPDX-License-Identifier: Apache-2.0
/** Windows over event time, and what comes out of one. */
@NullMarked
package io.thalweg.api.window;

import org.jspecify.annotations.NullMarked;
