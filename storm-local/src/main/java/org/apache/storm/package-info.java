// SPDX-License-Identifier: Apache-2.0
/** Stands in for a class of the same name that only Storm's servers have. */
@NullMarked
package org.apache.storm;

import org.jspecify.annotations.NullMarked;
