// SPDX-License-Identifier: Apache-2.0
/** Builds the site: renders the guide, and checks the links between it and the Javadoc. */
@NullMarked
package io.thalweg.site;

import org.jspecify.annotations.NullMarked;
