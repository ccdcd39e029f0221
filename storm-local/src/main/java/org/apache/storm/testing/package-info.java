// SPDX-License-Identifier: Apache-2.0
/** Stands in for classes of the same names that only Storm's servers have; the other ones of this package are in Storm's client. */
@NullMarked
package org.apache.storm.testing;

import org.jspecify.annotations.NullMarked;
