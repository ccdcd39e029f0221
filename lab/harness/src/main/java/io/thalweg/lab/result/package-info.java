// SPDX-License-Identifier: Apache-2.0
/** What the lab measured, as its JSON files hold it; docs/guide/lab.md documents the schema. */
@NullMarked
package io.thalweg.lab.result;

import org.jspecify.annotations.NullMarked;
