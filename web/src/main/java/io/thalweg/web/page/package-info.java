// SPDX-License-Identifier: Apache-2.0
/** The page of a running job: its files, and what they are told of the job. */
@NullMarked
package io.thalweg.web.page;

import org.jspecify.annotations.NullMarked;
