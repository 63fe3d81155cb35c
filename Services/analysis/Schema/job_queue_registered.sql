select register_read_model('job_queue');
