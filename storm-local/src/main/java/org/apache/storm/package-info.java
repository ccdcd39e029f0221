// SPDX-License-Identifier: Apache-2.0
/** Stands in for classes of the same names that only Storm's servers have. */
@NullMarked
package org.apache.storm;

import org.jspecify.annotations.NullMarked;
