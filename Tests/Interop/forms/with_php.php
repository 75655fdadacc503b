<?php
// Answers with what PHP's own form parser understood of a request's query and form.

// Elements of lists are named a[], as they were sent, and those of dictionaries a[key].
function pairs(array $values, ?string $field = null): array {
    $pairs = [];
    foreach ($values as $key => $value) {
        $name = $field === null ? (string) $key : $field . (array_is_list($values) ? '[]' : "[$key]");
        if (is_array($value)) {
            array_push($pairs, ...pairs($value, $name));
        } else {
            $pairs[] = ['name' => $name, 'value' => base64_encode($value)];
        }
    }
    return $pairs;
}

$files = [];
foreach ($_FILES as $name => $file) {
    if (is_array($file['name'])) {
        continue;
    }
    $files[] = [
        'name' => (string) $name, 'filename' => $file['name'], 'type' => $file['type'],
        'content' => base64_encode($file['error'] ? '' : file_get_contents($file['tmp_name'])),
        'error' => $file['error'],
    ];
}
header('Content-Type: application/json');
echo json_encode(['query' => pairs($_GET), 'fields' => pairs($_POST), 'files' => $files]);
